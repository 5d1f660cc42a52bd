package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// variable is the name of the environment variable that stands for a flag.
func variable(flag string) string {
	return "ONTOGATE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// nameVariables tells each flag's variable in the usage of a command.
func nameVariables(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage += " [$" + variable(f.Name) + "]" })
}

// readEnvironment sets the flags that were not given from the environment. A
// variable that is set but empty counts as not set.
func (p *program) readEnvironment(cmd *cobra.Command) error {
	var wrong error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value, ok := p.lookupEnv(variable(f.Name))
		if wrong != nil || f.Changed || !ok || value == "" || f.Name == "help" {
			return
		}
		if err := f.Value.Set(value); err != nil {
			wrong = usagef("%s=%s cannot be the value of --%s: %v", variable(f.Name), value, f.Name, err)
		}
	})
	return wrong
}
