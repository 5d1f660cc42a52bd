package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// Answers of tools without a budget of their own.
const ordinaryBudget = 3_000

type listDomainsInput struct {
	Search string `json:"search" doc:"Keep domains whose name or description holds this."`
	paged
}

func (listDomainsInput) domainName() string { return "" }

func listDomains() *tool {
	return define(tool{
		Tool:        domains.Tool{Name: "list_domains", Kind: domains.RegistryTool},
		title:       "List domains",
		description: "List the domains with their descriptions. Call this first, then select_domain.",
		example:     `{"search":"customer"}`,
		budget:      4_000,
	}, func(ctx context.Context, c *call, in listDomainsInput) (string, error) {
		infos, err := c.server.backend(c.caller).Domains(ctx)
		switch {
		case err != nil && len(infos) == 0:
			return "", err
		case err != nil:
			c.notes = append(c.notes, partial(err))
		}
		names := make([]string, 0, len(infos))
		for _, i := range infos {
			names = append(names, string(i.Name))
		}
		f, err := c.frameOf("", strings.Join(names, "\n"), format.Source{})
		if err != nil {
			return "", err
		}
		return format.Domains(f, infos, format.DomainsOptions{Search: in.Search, Selected: c.caller.inEffect(), Address: c.caller.pattern()}), nil
	})
}

type selectDomainInput struct {
	DomainName string `json:"domain_name" doc:"A name as list_domains shows it." required:"true"`
	unpaged
}

func (i selectDomainInput) domainName() string { return i.DomainName }

func selectDomain() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "select_domain", Kind: domains.RegistryTool},
		title: "Select domain",
		description: "Choose the domain that later calls use. Do it yourself when the question clearly belongs to one domain. " +
			"The tool list then shows what the domain offers. Selecting again replaces the selection.",
		example: `{"domain_name":"customer360"}`,
		budget:  ordinaryBudget,
	}, func(ctx context.Context, c *call, in selectDomainInput) (string, error) {
		if in.DomainName == "" {
			return "", c.server.needsName(ctx, c.caller, "select_domain needs 'domain_name'.")
		}
		name, err := c.server.resolve(ctx, c.caller, in.DomainName)
		if err != nil {
			return "", err
		}
		d, err := c.server.open(ctx, c.caller, name)
		if err != nil {
			return "", err
		}
		status, err := d.Status(ctx)
		if err != nil {
			return "", err
		}
		if d.Context != nil { // later calls find it read; what fails is told by those
			_, _ = d.Context.Classes(ctx)
		}
		var hidden []string
		for _, t := range c.server.tools {
			if !offers(d, t) {
				hidden = append(hidden, t.Name)
			}
		}
		if c.caller.once {
			c.notes = append(c.notes, fmt.Sprintf("(The selection ends with this call: give --domain %s with the next one.)", d.Info.Name))
		}
		f, err := c.frameOf(d.Info.Name, d.Revision, format.SourceOf(d))
		if err != nil {
			return "", err
		}
		f.Off = d.Off
		if !c.caller.remembers() {
			return format.Checked(f, d, status, hidden), nil
		}
		c.chosen, c.chosenTools = d.Info.Name, c.server.toolNames(d)
		return format.Selected(f, d, status, hidden), nil
	})
}

func listDomainVersions() *tool {
	return define(tool{
		Tool:        domains.Tool{Name: "list_domain_versions", Kind: domains.RegistryTool},
		title:       "List versions of a domain",
		description: "List all versions of a domain, newest first, with their states; tells which one is served.",
		example:     `{"domain_name":"customer360"}`,
		budget:      ordinaryBudget,
	}, fromRegistry(domains.Backend.Versions, format.Versions))
}

func getDesignStatus() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "get_design_status", Kind: domains.RegistryTool},
		title: "Get design status",
		description: "Tell how far a domain is designed: ontology, datasets declared, classes and properties that have facts. " +
			"For questions about readiness, not about entities.",
		example: `{"domain_name":"customer360"}`,
		budget:  ordinaryBudget,
	}, fromRegistry(domains.Backend.Design, format.Design))
}

// fromRegistry tells what a back end knows of a domain, also of one that cannot be
// opened (then text is told why): of the argument, or else of the one in effect.
func fromRegistry[T any](
	read func(domains.Backend, context.Context, domains.Name) (T, error),
	text func(f format.Frame, name domains.Name, facts T, unavailable string) string,
) func(context.Context, *call, oneDomain) (string, error) {
	return func(ctx context.Context, c *call, in oneDomain) (string, error) {
		if in.DomainName == "" && c.caller.inEffect() == "" {
			next := "Provide domain_name or call select_domain first to set the active domain."
			if !c.caller.remembers() {
				next = "Provide domain_name: without a session nothing is remembered."
			}
			return "", c.server.needsDomain(ctx, c.caller, next)
		}
		name, err := c.server.resolve(ctx, c.caller, in.DomainName)
		if err != nil {
			return "", err
		}
		facts, err := read(c.server.backend(c.caller), ctx, name)
		if err != nil {
			return "", c.server.explained(ctx, c.caller, name, err)
		}
		source, unavailable := c.whereabouts(ctx, name)
		f, err := c.frameOf(name, "", source)
		if err != nil {
			return "", err
		}
		return text(f, name, facts, unavailable), nil
	}
}

// whereabouts are the last line of a registry tool's answer about one domain, and why
// the domain cannot be opened: then only its name is told.
func (c *call) whereabouts(ctx context.Context, name domains.Name) (source format.Source, unavailable string) {
	d, err := c.server.backend(c.caller).Open(ctx, name)
	if err == nil {
		return format.SourceOf(d), ""
	}
	var told *domains.Error
	if errors.Is(err, domains.ErrUnavailable) && errors.As(err, &told) {
		unavailable = told.Message
	}
	return format.Source{Domain: name}, unavailable
}
