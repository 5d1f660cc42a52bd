package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// cliTimeout bounds one run of the Databricks CLI, which may fetch a token itself.
const cliTimeout = 30 * time.Second

// cli is the way of the Databricks CLI, which keeps its own login.
func (s Settings) cli(c *credentials) way {
	args := []string{"auth", "token", "--host", c.host}
	if c.isAccount() {
		args = append(args, "--account-id", c.account)
	}
	step := "Run databricks auth login on this machine"
	if c.profile != "" {
		args = append(args, "--profile", c.profile)
		step = "Run databricks auth login --profile " + c.profile + " on this machine"
	}
	return way{
		timeout: cliTimeout,
		refused: "OntoBricks refused the access token, and the Databricks CLI gave the same one again. " + step + ", and check that you have CAN USE on the OntoBricks app.",
		fetch: func(ctx context.Context) (grant, error) {
			out, err := s.Command(ctx, "databricks", args...)
			if err != nil {
				return grant{}, cliError(ctx, err, step)
			}
			var said struct {
				AccessToken string    `json:"access_token"`
				Expiry      time.Time `json:"expiry"`
			}
			// The error is not shown: it may hold what was printed.
			if json.Unmarshal(out, &said) != nil || said.AccessToken == "" {
				return grant{}, failed(domains.ErrUpstream, "The Databricks CLI printed no access token. Bring it up to date. "+step+".", errors.New("no access_token in its output"))
			}
			now := s.Clock()
			life := said.Expiry.Sub(now)
			switch {
			case said.Expiry.IsZero():
				life = unknownLife
			case life <= 0:
				return grant{}, failed(domains.ErrUpstream, "The Databricks CLI gave an access token that has expired. "+step+", and check the clock of this machine.", nil)
			}
			return granted(said.AccessToken, now, life), nil
		},
	}
}

// cliError says what to do about a run that failed. What the CLI printed is not shown: it
// is foreign text, and may hold a secret.
func cliError(ctx context.Context, err error, step string) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return failed(domains.ErrUpstream, "The Databricks CLI is not installed on this machine, or its folder is not in PATH. Install it, or set DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET.", exec.ErrNotFound)
	case ctx.Err() != nil:
		return failed(domains.ErrLimit, fmt.Sprintf("The Databricks CLI gave no access token within %d seconds. %s.", int(cliTimeout.Seconds()), step), ctx.Err())
	case errors.As(err, &exit):
		return failed(domains.ErrUpstream, "The Databricks CLI has no valid login. "+step+".", fmt.Errorf("databricks auth token: exit code %d", exit.ExitCode()))
	}
	return failed(domains.ErrUpstream, "The Databricks CLI gave no access token. "+step+".", causeOf(err))
}

// run runs a program and gives its standard output.
func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 2 * time.Second // for children that keep the output open
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		exit.Stderr = nil // nobody may show it by mistake
	}
	return out, err
}
