package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// memoryPackage is the npm package that a describe is compared with.
const memoryPackage = "@modelcontextprotocol/server-memory@2026.8.31"

// installMemory installs the npm server below the run's folder; missing says why it is
// not there.
func (b *bench) installMemory(ctx context.Context) (missed string, err error) {
	for _, program := range []string{"node", "npm"} {
		if missed := missing(program); missed != "" {
			return missed, nil
		}
	}
	dir, err := filepath.Abs(filepath.Join(b.dir, "npm"))
	if err != nil {
		return "", err
	}
	b.memory = filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js")
	if _, err := os.Stat(b.memory); err == nil {
		return "", nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	fmt.Fprintln(b.progress, "bench: installing "+memoryPackage)
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-save", memoryPackage)
	if text, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		return fmt.Sprintf("npm can't install %s: %.200s", memoryPackage, lines[0]), ctx.Err()
	}
	return "", nil
}

// memoryCommand is the npm server with a file in the run's folder.
func (b *bench) memoryCommand(ctx context.Context, file string) *exec.Cmd {
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(b.memory), file)
	}
	cmd := exec.CommandContext(ctx, "node", b.memory)
	cmd.Env = append(plainEnvironment(), "MEMORY_FILE_PATH="+file)
	return cmd
}

// runMemory describes one entity over stdio with both servers.
func runMemory(ctx context.Context, b *bench) ([]result, error) {
	size := b.sizes[0]
	graph, err := b.ntriples(size)
	if err != nil {
		return nil, err
	}
	program, err := b.ontogate(ctx)
	if err != nil {
		return nil, err
	}
	other := result{Row: "memory", Case: memoryPackage, Triples: size, Unit: "s"}
	ours := result{Row: "memory", Case: "ontogate", Triples: size, Unit: "s"}
	if other.Missing, err = b.installMemory(ctx); err != nil {
		return nil, err
	}
	if other.Missing == "" {
		file, err := b.file(fmt.Sprintf("memory-%d.jsonl", size), func(w io.Writer) error { return writeMemory(size, w) })
		if err != nil {
			return nil, err
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		ours.Baseline = other.Case
		if err := b.describeOften(&other, b.memoryCommand(ctx, file), callMessage("open_nodes", `{"names":["`+domaintest.BigEntity+`"]}`)); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program, "stdio", "--domains", domainsOf(graph))
	cmd.Env = plainEnvironment()
	arguments := `{"domain_name":"` + bigDomain + `","entity_uri":"` + domaintest.BigEntity + `"}`
	if err := b.describeOften(&ours, cmd, callMessage("describe_entity", arguments)); err != nil {
		return nil, err
	}
	return []result{other, ours}, nil
}

// describeOften makes one call again and again; each answer has to name the entity.
func (b *bench) describeOften(r *result, cmd *exec.Cmd, message string) error {
	s, err := startStdio(cmd)
	if err != nil {
		return err
	}
	r.Values, _, err = timed(task{Rounds: b.rounds, Calls: b.calls()}, func() error {
		_, err := s.ask(message, domaintest.BigEntity)
		return err
	})
	u, stopped := s.stop()
	r.Peak = u.peak
	if err != nil {
		return fmt.Errorf("%s: %w", r.Case, errors.Join(err, stopped))
	}
	return stopped
}

// writeMemory writes the entities of a generated graph as the npm server keeps them: a
// line for each entity with its texts, and one for each link.
func writeMemory(n int, w io.Writer) error {
	type entity struct {
		Type         string   `json:"type"`
		Name         string   `json:"name"`
		EntityType   string   `json:"entityType"`
		Observations []string `json:"observations"`
	}
	type relation struct {
		Type         string `json:"type"`
		From         string `json:"from"`
		To           string `json:"to"`
		RelationType string `json:"relationType"`
	}
	local := func(iri string) string { return strings.TrimPrefix(iri, domaintest.Big) }
	entities, order := map[string]*entity{}, []string{}
	var relations []relation
	for t := range domaintest.Generated(n) {
		e := entities[t.Subject.Value]
		if e == nil {
			e = &entity{Type: "entity", Name: t.Subject.Value, EntityType: "thing", Observations: []string{}}
			entities[e.Name] = e
			order = append(order, e.Name)
		}
		switch {
		case t.Predicate.Value == rdf.RDFType:
			e.EntityType = local(t.Object.Value)
		case t.Object.Kind == rdf.Literal:
			e.Observations = append(e.Observations, local(t.Predicate.Value)+": "+t.Object.Value)
		default:
			relations = append(relations, relation{"relation", t.Subject.Value, t.Object.Value, local(t.Predicate.Value)})
		}
	}
	b := bufio.NewWriter(w)
	lines := json.NewEncoder(b)
	for _, name := range order {
		if err := lines.Encode(entities[name]); err != nil {
			return err
		}
	}
	for _, r := range relations {
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	return b.Flush()
}
