package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// serveSettings are the flags of serve.
type serveSettings struct {
	settings
	// app is set when the program runs as a Databricks App.
	app            bool
	addr           string
	allowAnonymous bool
	allowHosts     []string
	allowOrigins   []string
	publicURL      string
	sessionIdle    time.Duration
	maxSessions    int
}

func (p *program) serveCommand() *cobra.Command {
	var s serveSettings
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP clients over HTTP",
		Long: `Serve MCP clients over HTTP: on /mcp each client selects its own domain, on
/mcp/{domain} that domain is fixed. /graphql/{domain} answers programs that speak
GraphQL, and is a page to write queries on in a browser. SIGINT and SIGTERM let running
calls end; a second signal ends the program at once. Changes in the folder of
--domains are served within seconds; SIGHUP looks for them at once, by content.

As a Databricks App, which DATABRICKS_APP_PORT tells, it listens on all addresses at
that port, and every request is of the user whom the platform forwards. It then needs
ONTOBRICKS_URL or --domains: an App does not serve the built-in samples.`,
		Args: cobra.NoArgs,
		RunE: p.body(func(ctx context.Context, _ []string) error {
			s.app = p.isApp()
			return p.serve(ctx, s)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&s.addr, "addr", "127.0.0.1:9100", "`host:port` to listen on; port 0 takes a free one")
	f.BoolVar(&s.allowAnonymous, "allow-anonymous", false, "listen on an address that other machines reach, although whoever reaches it can read all domains")
	f.StringSliceVar(&s.allowHosts, "allow-host", nil, "`host` names, with or without port, that requests may be addressed to besides loopback ones")
	f.StringSliceVar(&s.allowOrigins, "allow-origin", nil, "web `origin`s, with or without scheme and port, whose pages may send requests besides loopback ones and the server's own")
	f.StringVar(&s.publicURL, "public-url", "", "`URL` that clients use, without a path, when it is not the one that requests name")
	f.DurationVar(&s.sessionIdle, "session-idle", server.DefaultSessionIdle, "`time` after which a session without requests ends")
	f.IntVar(&s.maxSessions, "max-sessions", server.DefaultMaxSessions, "most `sessions` at once")
	s.addSource(cmd, "info")
	s.addAnswering(cmd)
	return cmd
}

// serve listens first, so that a port in use is told before domains are loaded
// and clients that come early wait instead of failing.
func (p *program) serve(ctx context.Context, s serveSettings) error {
	c, err := p.serveConfig(s)
	if err != nil {
		return err
	}
	if s.app && s.upstream == "" && s.domains == "" { // the samples would hide the mistake
		return usagef("a Databricks App needs domains to serve: set ONTOBRICKS_URL in app.yaml to the URL of the OntoBricks app, or give --domains with a folder. The built-in samples are not served in an App")
	}
	if err := checkAddr(s.addr, s.allowAnonymous || s.app); err != nil {
		return err
	}
	ln, err := listen(ctx, s.addr)
	if err != nil {
		return err
	}
	defer ln.Close() // harmless after the HTTP server has closed it
	s.poll = pollEvery
	srv, b, err := p.serverFor(ctx, s.settings, c)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer b.Close()
	ctx, stop := reloadOnSignal(ctx, b, c.Logger)
	defer stop()
	listing, cancel := context.WithTimeout(domains.Once(ctx), startPatience)
	infos, err := b.Domains(listing)
	cancel()
	if err != nil && (ctx.Err() != nil || s.upstream == "") {
		return interrupted(ctx, err)
	}
	g := p.guide(s, ln.Addr().String(), infos)
	if err != nil {
		g.trouble = trouble(err)
	}
	fmt.Fprint(p.out, g.String())
	if !loopback(s.addr) && !s.app {
		c.Logger.Warn("anyone who reaches this address can read all domains: there is no authentication; clients are accepted only under the names given by --allow-host", "addr", ln.Addr().String())
	}
	return serveHTTP(ctx, ln, srv, c)
}

// interrupted is nil when a signal ended the start, and err otherwise.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// serveConfig is config with what only serve has.
func (p *program) serveConfig(s serveSettings) (server.Config, error) {
	c, err := p.config(s.settings)
	c.AllowHosts, c.AllowOrigins, c.PublicURL = s.allowHosts, s.allowOrigins, s.publicURL
	c.SessionIdle, c.MaxSessions, c.App = s.sessionIdle, s.maxSessions, s.app
	return c, errors.Join(err, positive("session-idle", s.sessionIdle), positive("max-sessions", s.maxSessions))
}

// checkAddr refuses an address that is none, and one that other machines can
// reach unless that is meant.
func checkAddr(addr string, allowAnonymous bool) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return usagef("--addr %s: want host:port, such as 127.0.0.1:9100", addr)
	}
	if !loopback(addr) && !allowAnonymous {
		return usagef("--addr %s can be reached from other machines, and there is no authentication: whoever reaches it can read all domains. Use a loopback address such as 127.0.0.1:9100, or add --allow-anonymous if that is meant", addr)
	}
	return nil
}

// loopback reports whether only this machine reaches an address host:port.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && loopbackHost(host)
}

// loopbackHost is the same for a host alone.
func loopbackHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("listening on %s: another program already does; end it, or choose another port with --addr", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", addr, err)
	}
	return ln, nil
}

// httpServer has the timeouts that the server's handler asks for.
func httpServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		// WriteTimeout stays 0: it would cut listening streams.
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// drainGrace is how long a service that ends waits once its calls have had their
// timeout: the time to write the last answers.
const drainGrace = 5 * time.Second

// serveHTTP serves until ctx ends and then lets running calls end.
func serveHTTP(ctx context.Context, ln net.Listener, srv *server.Server, c server.Config) error {
	hs := httpServer(srv.Handler(), c.Logger)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := hs.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serving: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		c.Logger.Info("shutting down: running calls may end")
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.CallTimeout+drainGrace)
		defer cancel()
		var both errgroup.Group
		both.Go(func() error { return srv.Shutdown(drain) })
		both.Go(func() error { return hs.Shutdown(drain) })
		if err := both.Wait(); err != nil {
			return fmt.Errorf("shutting down: %w", errors.Join(err, hs.Close()))
		}
		return nil
	})
	return g.Wait()
}
