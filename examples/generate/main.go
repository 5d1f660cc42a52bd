// Command generate writes the sample domains of this repository. Run from the
// repository's root, it renews them:
//
//	go run ./examples/generate -out examples
//
// The same flags always give the same bytes: there is no clock and no seed to
// choose, and every entity is drawn from a generator of its own, so that a larger
// -scale adds entities and keeps the first ones nearly as they are. Large data for
// measurements come from
//
//	go run ./examples/generate -out DIR -scale 100 -format nt
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "", "folder to write the domains to (required); files of other names in it are left alone")
	scale := flag.Int("scale", 1, "multiplies the number of entities; 1 gives about 12,000 triples in customer360")
	format := flag.String("format", "ttl", "syntax of the data files: ttl (Turtle) or nt (N-Triples)")
	flag.Parse()
	if err := run(*out, *scale, *format); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes all domains.
func run(dir string, scale int, format string) error {
	switch {
	case dir == "":
		return fmt.Errorf("say where to write with -out DIR")
	case scale < 1:
		return fmt.Errorf("-scale is %d: it is at least 1", scale)
	case format != "ttl" && format != "nt":
		return fmt.Errorf("-format is %q: it is ttl or nt", format)
	}
	o := output{dir: dir, format: format}
	w := newWorld(scale)
	for _, write := range []func(output, world) error{writeCustomer360, writeFinance, writeSupplyChain, writeHRAnalytics} {
		if err := write(o, w); err != nil {
			return err
		}
	}
	return nil
}
