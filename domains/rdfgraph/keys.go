package rdfgraph

// KeyDoc documents a key of domain.yaml.
type KeyDoc struct {
	// Key is the path from the top: "classes.CLASS.bridges[].domain". A word in
	// capitals stands for a name of one's own, "[]" for the items of a list.
	Key string
	// Type says what is written there, Default what holds without it.
	Type, Default string
	// Text says what the key does.
	Text string
}

// notServed ends the text of keys whose effect is still to come.
const notServed = " Read and checked; not served yet."

// Keys documents every key of domain.yaml, in the order in which people should
// meet them. docs/domains.md is made of it.
func Keys() []KeyDoc {
	return []KeyDoc{
		{"name", "text", "the folder's name", "The domain's name: 1–64 letters, digits, `_`, `-` or `.`, not starting with a dot."},
		{"description", "text", "none", "One sentence that says what the domain holds. list_domains shows it, and models choose the domain by it."},
		{"publish", "true or false", "true", "With false the domain is neither listed nor selectable."},
		{"versions", "map: sub-folder → state", "the folder itself is version 1, PUBLISHED", "The versions of the domain, each in a sub-folder of its own: `{v1: PUBLISHED, v2: DRAFT}`. States are DRAFT, IN-REVIEW and PUBLISHED. `v2` is shown as version 2. Without a PUBLISHED version the domain is neither listed nor selectable."},
		{"active", "text", "the highest PUBLISHED version", "The version that is served. It must be PUBLISHED; anything else makes the domain unavailable."},
		{"ontology", "list of patterns", "see `data`", "Files to read, relative to the version's folder. `*` and `?` match within a name, `**` any number of folders. What is schema and what is fact is decided by triples, not by file: `ontology` and `data` read alike and exist for the reader's sake."},
		{"data", "list of patterns", "without `ontology` and `data`: every RDF file below the folder", "More files to read. With `ontology` or `data`, only the files that they name are read, and what these import."},
		{"base", "IRI", "relative IRIs: `https://NAME.invalid/`; ids: the ontology's IRI", "The IRI against which relative IRIs in files and short ids are resolved."},
		{"prefixes", "map: prefix → IRI", "none", "Namespace names, without the colon, for `labels` and for printing. They win over those declared in files."},
		{"languages", "list of language tags", "untagged text, then English", "The languages to prefer in labels, best first."},
		{"labels", "list of properties", "none", "Properties whose values are labels, as IRIs or prefixed names (`\":fullName\"`), best first. They come before the standard ones (skos:prefLabel, rdfs:label, …)."},
		{"policy", "map", "nothing hidden", "What may be seen of the domain through MCP."},
		{"policy.disabled_tools", "list of tool names", "none", "Tools that are neither listed nor callable for the domain. The tools that find and select domains cannot be disabled."},
		{"policy.context", "map: element → mode", "all normal", "How the context of classes may be used. Elements are dataset, bridges, actions, virtual_attributes and business_rules; modes are normal, preferred and disabled." + notServed},
		{"endpoints", "map", "all on", "The ways into the domain besides MCP: each can be closed. A key or value here that is not understood makes the domain unavailable."},
		{"endpoints.graphql", "on or off", "on", "Whether programs may ask the domain with GraphQL, at `/graphql/NAME`. Off refuses its addresses there with 403; tools are closed with `policy.disabled_tools`."},
		{"endpoints.introspection", "on or off", "on", "Whether GraphQL queries, by programs and by tools, may ask for the schema with `__schema` and `__type`. Off refuses such queries. `__typename`, the address `/graphql/NAME/schema` and the tool get_graphql_schema stay."},
		{"endpoints.rest", "on or off", "on", "Whether programs can read the domain at `/api/v1`, as they read OntoBricks. Off leaves it out of the list there and refuses requests about it; GraphQL below that address is `graphql`'s."},
		{"endpoints.sparql", "on or off", "on", "Whether the domain answers SPARQL." + notServed},
		{"classes", "map: class → context", "none", "What is known of classes beyond the ontology. A class is written as local name, label, prefixed name or IRI; `ontogate check` warns of one that the ontology does not have."},
		{"classes.CLASS.dataset", "map", "none", "The table from which the entities of the class come. Declared: counted by get_design_status."},
		{"classes.CLASS.dataset.file", "path", "none", "A CSV or TSV file with the table, relative to the domain's folder: `.csv`, `.tsv` or `.tab`."},
		{"classes.CLASS.dataset.name", "text", "none", "The table's full name, `catalog.schema.table`."},
		{"classes.CLASS.dataset.key", "text", "none", "The column that holds local IDs, the last part of IRIs. Without it, no rows can be fetched."},
		{"classes.CLASS.dataset.description", "text", "none", "One sentence about the table."},
		{"classes.CLASS.bridges", "list of maps", "none", "Classes of other domains to which entities of the class lead."},
		{"classes.CLASS.bridges[].domain", "text", "required", "The other domain's name."},
		{"classes.CLASS.bridges[].class", "text", "required", "The class there."},
		{"classes.CLASS.bridges[].label", "text", "none", "What the bridge means: \"Owns contracts\"."},
		{"classes.CLASS.actions", "list of maps", "none", "Functions that can be called for an entity of the class."},
		{"classes.CLASS.actions[].name", "text", "required", "The function's full name, `catalog.schema.function`."},
		{"classes.CLASS.actions[].function", "text", "the last part of `name`", "The short name by which it is called."},
		{"classes.CLASS.actions[].description", "text", "none", "One sentence that says what it does."},
		{"classes.CLASS.actions[].returns_table", "true or false", "false", "Whether it answers with rows rather than one value."},
		{"classes.CLASS.actions[].url", "URL", "none", "The endpoint that runs it, see above. Without one, and on a host that `--allow-action-host` does not name, the action is left out and `ontogate check` and get_status say so."},
		{"classes.CLASS.virtual_attributes", "list of maps", "none", "Functions that compute attributes of an entity of the class."},
		{"classes.CLASS.virtual_attributes[].name", "text", "required", "The function's full name, `catalog.schema.function`."},
		{"classes.CLASS.virtual_attributes[].function", "text", "the last part of `name`", "The short name by which it is called."},
		{"classes.CLASS.virtual_attributes[].description", "text", "none", "One sentence that says what it computes."},
		{"classes.CLASS.virtual_attributes[].returns_table", "true or false", "false", "Whether it answers with rows rather than one value."},
		{"classes.CLASS.virtual_attributes[].url", "URL", "none", "The endpoint that computes them, as for actions."},
		{"classes.CLASS.virtual_attributes[].attributes", "list of maps", "none", "The attributes that it computes."},
		{"classes.CLASS.virtual_attributes[].attributes[].name", "text", "required", "The attribute's name."},
		{"classes.CLASS.virtual_attributes[].attributes[].column", "text", "`name`", "The column of the answer that holds it."},
		{"classes.CLASS.virtual_attributes[].attributes[].label", "text", "none", "Its label."},
		{"classes.CLASS.virtual_attributes[].attributes[].type", "text", "none", "Its data type."},
		{"classes.CLASS.business_rules", "list of maps", "none", "Rules that say more of an entity of the class." + notServed},
		{"classes.CLASS.business_rules[].name", "text", "required", "The rule's name." + notServed},
		{"classes.CLASS.business_rules[].description", "text", "none", "One sentence that says what follows from what." + notServed},
		{"classes.CLASS.business_rules[].antecedent", "text", "required", "What must hold." + notServed},
		{"classes.CLASS.business_rules[].consequent", "text", "required", "What follows." + notServed},
	}
}
