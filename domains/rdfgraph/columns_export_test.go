package rdfgraph

import "github.com/ontogate/ontogate/domains"

// ColumnsOf opens the graph of Facts as Columns too.
func ColumnsOf(f domains.Facts) domains.Columns { return newColumns(f.(*graph)) }
