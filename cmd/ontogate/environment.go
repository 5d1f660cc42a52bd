package main

import (
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ontogate/ontogate/domains/ontobricks"
)

// variables are the names of the environment variables that stand for a flag: our own,
// which wins, and the one by which OntoBricks or Databricks knows the setting.
func variables(flag string) []string {
	own := "ONTOGATE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	if theirs, ok := theirVariables[flag]; ok {
		return []string{own, theirs}
	}
	return []string{own}
}

// theirVariables are flag → the variable of OntoBricks (contract 5.1) or of Databricks.
var theirVariables = map[string]string{
	"upstream":         "ONTOBRICKS_URL",
	"registry-catalog": "REGISTRY_CATALOG",
	"registry-schema":  "REGISTRY_SCHEMA",
	"registry-volume":  "REGISTRY_VOLUME",
	"profile":          "DATABRICKS_CONFIG_PROFILE",
}

// variable is an environment variable that no flag stands for: a secret, which must not
// be on a command line, or what a platform says of itself.
type variable struct{ name, meaning string }

// The variables without a flag.
var (
	databricksHost  = variable{"DATABRICKS_HOST", "workspace that gives access tokens; Databricks Apps sets it"}
	clientID        = variable{"DATABRICKS_CLIENT_ID", "service principal that asks OntoBricks; Databricks Apps sets it"}
	clientSecret    = variable{"DATABRICKS_CLIENT_SECRET", "its OAuth secret; Databricks Apps sets it"}
	databricksToken = variable{"DATABRICKS_TOKEN", "personal access token, instead of a service principal; Databricks Apps do not take it"}
	authType        = variable{"DATABRICKS_AUTH_TYPE", "the only way to log in that is tried, such as `databricks-cli`"}
	configFile      = variable{"DATABRICKS_CONFIG_FILE", "file of profiles; default `~/.databrickscfg`"}
	volumePath      = variable{"REGISTRY_VOLUME_PATH", "`/Volumes/catalog/schema/volume` of the OntoBricks registry, where its parts are not given one by one"}
	warehouseID     = variable{"DATABRICKS_SQL_WAREHOUSE_ID", "SQL warehouse of OntoBricks, which `GET /` tells"}
	mcpPort         = variable{"MCP_PORT", "port of the default of `--addr`"}
	appPort         = variable{"DATABRICKS_APP_PORT", "makes `serve` a Databricks App: it listens on all addresses at this port and trusts the identity that the platform forwards; never set it elsewhere"}

	// flaglessVariables are all of them, as the documentation lists them.
	flaglessVariables = []variable{
		databricksHost, clientID, clientSecret, databricksToken, authType, configFile,
		volumePath, warehouseID, mcpPort, appPort,
	}
)

// value is what a variable without a flag holds; one that is not set is empty.
func (p *program) value(v variable) string {
	value, _ := p.lookupEnv(v.name)
	return value
}

// nameVariables tells each flag's variables in the usage of a command.
func nameVariables(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage += " [$" + strings.Join(variables(f.Name), ", $") + "]" })
}

// readEnvironment sets the flags that were not given from the environment. A
// variable that is set but empty counts as not set.
func (p *program) readEnvironment(cmd *cobra.Command) error {
	var wrong error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		for _, name := range variables(f.Name) {
			value, _ := p.lookupEnv(name)
			if wrong != nil || f.Changed || value == "" {
				continue
			}
			if err := f.Value.Set(value); err != nil {
				wrong = usagef("%s=%s cannot be the value of --%s: %v", name, value, f.Name, err)
			}
			f.Changed = true
		}
	})
	if wrong != nil {
		return wrong
	}
	return p.adaptDefaults(cmd.Flags())
}

// upstreamHere is the OntoBricks deployment that is meant when only a registry is given
// (OntoBricks contract 5.1).
const upstreamHere = "http://localhost:8000"

// adaptDefaults gives the flags that were not given another default where the
// environment, or another flag, asks for it.
func (p *program) adaptDefaults(flags *pflag.FlagSet) error {
	if addr := flags.Lookup("addr"); addr != nil && !addr.Changed {
		if err := p.adaptAddr(addr); err != nil {
			return err
		}
	}
	if flags.Lookup("upstream") == nil {
		return nil
	}
	given := func(flag string) bool { return flags.Lookup(flag).Value.String() != "" }
	if !given("upstream") && given("registry-catalog") && given("registry-schema") {
		_ = flags.Lookup("upstream").Value.Set(upstreamHere) // a text always can be set
		p.assumesHere = true
	}
	if given("upstream") && !flags.Changed("call-timeout") {
		_ = flags.Lookup("call-timeout").Value.Set(upstreamCallTimeout.String())
	}
	return p.adaptRegistry(flags)
}

// adaptAddr makes the port that a platform gives the default of --addr. In a Databricks
// App the platform's proxy must reach it.
func (p *program) adaptAddr(addr *pflag.Flag) error {
	host, port := "127.0.0.1", mcpPort
	if p.isApp() {
		host, port = "0.0.0.0", appPort
	}
	value := p.value(port)
	if value == "" {
		return nil
	}
	if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 65535 {
		return usagef("%s=%s: want a port, 0 to 65535", port.name, value)
	}
	return addr.Value.Set(net.JoinHostPort(host, value))
}

// isApp reports whether the program runs as a Databricks App.
func (p *program) isApp() bool { return p.value(appPort) != "" }

// adaptRegistry takes the parts of the registry that were not given from the path of
// its volume.
func (p *program) adaptRegistry(flags *pflag.FlagSet) error {
	path := p.value(volumePath)
	if path == "" {
		return nil
	}
	registry, err := ontobricks.RegistryOfVolumePath(path)
	if err != nil {
		return usagef("%s: %v", volumePath.name, err)
	}
	for flag, part := range map[string]string{
		"registry-catalog": registry.Catalog, "registry-schema": registry.Schema, "registry-volume": registry.Volume,
	} {
		if f := flags.Lookup(flag); !f.Changed {
			_ = f.Value.Set(part)
		}
	}
	return nil
}
