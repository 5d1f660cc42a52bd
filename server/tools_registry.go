package server

import (
	"context"
	"errors"
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
		infos, err := c.server.cfg.Backend.Domains(ctx)
		if err != nil {
			return "", err
		}
		names := make([]string, 0, len(infos))
		for _, i := range infos {
			names = append(names, string(i.Name))
		}
		f, err := c.frame("", strings.Join(names, "\n"), format.Source{})
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
			return "", c.server.needsName(ctx, "select_domain needs 'domain_name'.")
		}
		name, err := c.server.resolve(ctx, c.caller, in.DomainName)
		if err != nil {
			return "", err
		}
		d, err := c.server.open(ctx, name)
		if err != nil {
			return "", err
		}
		status, err := d.Status(ctx)
		if err != nil {
			return "", err
		}
		var hidden []string
		for _, t := range c.server.tools {
			if ok, _ := domains.Decide(t.Tool, d); !ok {
				hidden = append(hidden, t.Name)
			}
		}
		f, err := c.frame(d.Info.Name, d.Revision, format.SourceOf(d))
		if err != nil {
			return "", err
		}
		if !c.caller.remembers() {
			return format.Checked(f, d, status, hidden), nil
		}
		c.caller.choose(d.Info.Name)
		return format.Selected(f, d, status, hidden), nil
	})
}

type listDomainVersionsInput struct {
	inDomain
	unpaged
}

func listDomainVersions() *tool {
	return define(tool{
		Tool:        domains.Tool{Name: "list_domain_versions", Kind: domains.RegistryTool},
		title:       "List versions of a domain",
		description: "List all versions of a domain, newest first, with their states; tells which one is served.",
		example:     `{"domain_name":"customer360"}`,
		budget:      ordinaryBudget,
	}, func(ctx context.Context, c *call, in listDomainVersionsInput) (string, error) {
		name, err := c.registryDomain(ctx, in.DomainName)
		if err != nil {
			return "", err
		}
		versions, err := c.server.cfg.Backend.Versions(ctx, name)
		if err != nil {
			return "", c.server.explained(ctx, name, err)
		}
		f, err := c.frame(name, "", c.sourceOf(ctx, name))
		if err != nil {
			return "", err
		}
		return format.Versions(f, name, versions, c.unavailable(ctx, name)), nil
	})
}

type getDesignStatusInput struct {
	inDomain
	unpaged
}

func getDesignStatus() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "get_design_status", Kind: domains.RegistryTool},
		title: "Get design status",
		description: "Tell how far a domain is designed: ontology, datasets declared, classes and properties that have facts. " +
			"For questions about readiness, not about entities.",
		example: `{"domain_name":"customer360"}`,
		budget:  ordinaryBudget,
	}, func(ctx context.Context, c *call, in getDesignStatusInput) (string, error) {
		name, err := c.registryDomain(ctx, in.DomainName)
		if err != nil {
			return "", err
		}
		design, err := c.server.cfg.Backend.Design(ctx, name)
		if err != nil {
			return "", c.server.explained(ctx, name, err)
		}
		f, err := c.frame(name, "", c.sourceOf(ctx, name))
		if err != nil {
			return "", err
		}
		return format.Design(f, name, design), nil
	})
}

// registryDomain is the domain that a registry tool speaks of: the argument, or
// else the one in effect.
func (c *call) registryDomain(ctx context.Context, argument string) (domains.Name, error) {
	if argument == "" && c.caller.inEffect() == "" {
		return "", c.server.needsName(ctx, "Provide domain_name or call select_domain first to set the active domain.")
	}
	return c.server.resolve(ctx, c.caller, argument)
}

// unavailable says why a domain cannot be opened; empty when it can.
func (c *call) unavailable(ctx context.Context, name domains.Name) string {
	var told *domains.Error
	if _, err := c.server.cfg.Backend.Open(ctx, name); errors.Is(err, domains.ErrUnavailable) && errors.As(err, &told) {
		return told.Message
	}
	return ""
}

// sourceOf is the last line of a registry tool's answer about one domain. A domain
// that cannot be opened still has versions: then only its name is told.
func (c *call) sourceOf(ctx context.Context, name domains.Name) format.Source {
	d, err := c.server.open(ctx, name)
	if err != nil {
		return format.Source{Domain: name}
	}
	return format.SourceOf(d)
}
