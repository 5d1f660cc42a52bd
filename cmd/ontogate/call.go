package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) callCommand() *cobra.Command {
	var s settings
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call TOOL [name=value ...]",
		Short: "Call one tool and print its answer",
		Long: `Call one tool, through the same server that MCP clients use, and print its answer.

Exit code 0: an answer; 1: a tool error, or the domains could not be loaded;
2: the command line is wrong.`,
		Example: `  ontogate call list_domains
  ontogate call describe_entity --domain customer360 search="jacob martinez" depth=2`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a tool: 'ontogate call list_domains' is a good start")
			}
			return nil
		},
		RunE: p.body(func(ctx context.Context, args []string) error {
			return p.call(ctx, s, asJSON, args[0], args[1:])
		}),
	}
	s.addSource(cmd, "warn")
	s.addAnswering(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the result as MCP clients receive it")
	return cmd
}

// call makes one tool call and prints the answer.
func (p *program) call(ctx context.Context, s settings, asJSON bool, tool string, pairs []string) error {
	args, err := parseArguments(pairs)
	if err != nil {
		return err
	}
	c, err := p.config(s)
	if err != nil {
		return err
	}
	c.OneCall = true
	srv, b, err := p.serverFor(ctx, s, c)
	if err != nil {
		return err
	}
	defer b.Close()
	text, isError, err := srv.Call(ctx, tool, args)
	if err != nil {
		return err
	}
	if err := printAnswer(p.out, text, isError, asJSON); err != nil {
		return err
	}
	if isError {
		return errAnswered
	}
	return nil
}

// parseArguments reads name=value pairs. Values stay text: tools accept numbers,
// booleans and JSON as text.
func parseArguments(pairs []string) (map[string]any, error) {
	args := map[string]any{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if _, twice := args[name]; twice {
			return nil, usagef("argument %s is given twice", name)
		}
		if !ok || name == "" {
			return nil, usagef("%q is not name=value; quote a value that holds spaces: search=\"jacob martinez\"", pair)
		}
		args[name] = value
	}
	return args, nil
}

// printAnswer prints an answer as text, or as the result of tools/call
// (MCP 2025-11-25, server/tools).
func printAnswer(w io.Writer, text string, isError, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, strings.TrimSuffix(text, "\n"))
		return err
	}
	type content struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Content []content `json:"content"`
		IsError bool      `json:"isError"`
	}{[]content{{"text", text}}, isError})
}
