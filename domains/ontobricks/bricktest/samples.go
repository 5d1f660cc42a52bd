package bricktest

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Names in the sample domains: classes are Onto + name, instances and properties
// Base + name, as OntoBricks mints them.
const (
	Onto = "https://ontobricks.com/ontology#"
	Base = "https://ontobricks.com/ontology/"
	// Jacob is the customer of Customer360 that has all kinds of facts and context.
	Jacob = Base + "Customer/CUST00094"
	// Loan is the contract of Finance that the bridge of customers leads to.
	Loan = "https://finance.example/onto/Contract/CUST00094-L1"
)

// Customer360 is a small domain with two versions, a policy that prefers bridges,
// and all kinds of context on its class Customer. Customers have interactions and
// contracts. Jacob's local id is also that of an account, and of an IRI that could be
// another for either of them and so is an entity of its own.
func Customer360() Domain {
	return Domain{
		Name: "customer360", Description: "Customer 360 with interactions and contracts",
		Policy:   map[string]any{"context": map[string]string{"bridges": "preferred"}},
		Versions: []Version{{"1", published}, {"2", published}, {"3", "DRAFT"}},
		Triples:  customerTriples(), Inferred: 2,
		Ontology: customerOntology, BaseURI: Onto, Classes: json.RawMessage(customerClasses),
		SDL: customerSDL, GraphQL: customerAnswers,
		Rows: func(_, key, localID string, limit int) ([]json.RawMessage, error) {
			row := fmt.Sprintf(`{"%s":"%s","segment":"premium","vip":true,"note":null}`, key, localID)
			return []json.RawMessage{json.RawMessage(row)}[:min(1, limit)], nil
		},
		Bridged: func(domain, class, localID string) []json.RawMessage {
			return []json.RawMessage{json.RawMessage(fmt.Sprintf(
				`{"uri":"%s","predicate":"https://finance.example/onto/amount","object":"1200"}`, Loan))}
		},
		VirtualAttributes: func(function, _ string) ([]map[string]any, error) {
			if function == "main.kg.broken" {
				return nil, errors.New("PERMISSION_DENIED: no EXECUTE on main.kg.broken")
			}
			return []map[string]any{{"score": 0.82, "band": "high"}}, nil
		},
		Action: func(action, localID string) ([]json.RawMessage, error) {
			return []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"result":"%s of %s done"}`, action, localID))}, nil
		},
		Rule: func(_, entity string) (RuleResult, error) {
			return RuleResult{Inferred: 1, Materialized: 1, Triples: [][3]string{{entity, rdfType, Onto + "VIP"}}}, nil
		},
	}
}

// Finance is the domain that bridges of Customer360 lead to.
func Finance() Domain {
	const base, onto = "https://finance.example/onto/", "https://finance.example/onto#"
	return Domain{
		Name: "finance", Description: "Contracts and payments", Backend: "databricks", BaseURI: onto,
		Triples: [][3]string{
			{Loan, rdfType, onto + "Contract"},
			{Loan, rdfsLabel, "Loan of Jacob Martinez"},
			{Loan, base + "amount", "1200"},
		},
		Ontology: `@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix f: <https://finance.example/onto#> .
<https://finance.example/onto> a owl:Ontology .
f:Contract a owl:Class ; rdfs:label "Contract" .
f:amount a owl:DatatypeProperty ; rdfs:label "amount" ; rdfs:domain f:Contract ; rdfs:range xsd:decimal .
`,
		Classes: json.RawMessage(`[{"name":"Contract","uri":"https://finance.example/onto#Contract"}]`),
		SDL: `type Contract {
  id: ID!
  uri: String!
  label: String
  amount: String
}

type Query {
  """List Contract entities from the knowledge graph."""
  contracts(limit: Int! = 50, offset: Int! = 0, search: String = null): [Contract!]!

  """Get a single Contract by ID."""
  contract(id: ID!): Contract
}`,
	}
}

// OntologyOnly is a domain that was never built.
func OntologyOnly() Domain {
	d := Finance()
	d.Name, d.Description, d.Backend, d.Triples = "bare", "An ontology without a graph", "none", nil
	return d
}

func customerTriples() [][3]string {
	var out [][3]string
	add := func(s, p, o string) { out = append(out, [3]string{s, p, o}) }
	entity := func(class, id, label string) string {
		iri := Base + class + "/" + id
		add(iri, rdfType, Onto+class)
		if label != "" {
			add(iri, rdfsLabel, label)
		}
		return iri
	}
	jacob := entity("Customer", "CUST00094", "Jacob Martinez")
	add(jacob, Base+"email", "jacob.martinez@example.com")
	add(jacob, Base+"ontologylastname", "Martinez")
	add(jacob, Base+"hasContract", entity("Contract", "CON1", ""))
	add(Base+"Contract/CON1", Base+"monthlyFee", "49.90")
	add(Base+"CUST00094", Base+"loyalty_points", "1840") // shares its end with two entities
	for i, channel := range []string{"email", "chat", "shop"} {
		x := entity("Interaction", fmt.Sprintf("INT%d", i+1), "")
		add(x, Base+"channel", channel)
		add(jacob, Base+"hasInteraction", x)
	}
	ann := entity("Customer", "CUST00095", "Ann Martin")
	add(ann, Base+"email", "ann@example.com")
	add(ann, Base+"referredBy", jacob)
	entity("Customer", "CUST00096", "Zoé 100% Ltd")
	add(entity("Account", "CUST00094", "Account of Jacob"), Base+"balance", "10") // not the customer
	return out
}

const customerClasses = `[
{"name":"Customer","uri":"https://ontobricks.com/ontology#Customer",
 "dataset":{"fullName":"main.crm.customers","key_column":"customer_id","description":" CRM master \n"},
 "bridges":[{"target_domain":"finance","target_class_name":"Contract","target_class_uri":"https://finance.example/onto#Contract","label":"Owns contracts"},
  {"target_project":"hidden","target_class_name":"Secret","label":"Not to be seen"}],
 "actions":[{"fullName":"main.ops.recompute_risk","function":"recompute_risk","description":"Recompute the risk","returns_table":false}],
 "business_rules":[{"name":"Vip","description":"Premium customers are VIPs","antecedent":"Customer(?c) ^ segment(?c, \"premium\")","consequent":"VIP(?c)"}],
 "virtualAttributes":[
  {"fullName":"main.kg.risk","function":"risk","description":"Risk of leaving","returns_table":true,
   "attributes":[{"name":"score","column":"score","label":"Score","dataType":"DOUBLE"},{"name":"band","column":"band","label":"Band","dataType":"STRING"}]},
  {"fullName":"main.kg.broken","function":"broken","returns_table":false,"attributes":[{"name":"next_call","column":"result","label":"Next call"}]}]},
{"name":"Contract","uri":"https://ontobricks.com/ontology#Contract"},
{"name":"Interaction","uri":"https://ontobricks.com/ontology#Interaction"},
{"name":"Account","uri":"https://ontobricks.com/ontology#Account"}]`

const customerOntology = `@prefix : <https://ontobricks.com/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<https://ontobricks.com/ontology> a owl:Ontology ; rdfs:label "Customer 360" .
:Customer a owl:Class ; rdfs:label "Customer" ; rdfs:comment "Someone with a contract." .
:VIP a owl:Class ; rdfs:subClassOf :Customer .
:Contract a owl:Class ; rdfs:label "Contract" .
:Interaction a owl:Class ; rdfs:label "Interaction" .
:Account a owl:Class ; rdfs:label "Account" .
:email a owl:DatatypeProperty ; rdfs:label "email" ; rdfs:domain :Customer ; rdfs:range xsd:string .
:channel a owl:DatatypeProperty ; rdfs:label "channel" ; rdfs:domain :Interaction ; rdfs:range xsd:string .
:monthlyFee a owl:DatatypeProperty ; rdfs:domain :Contract ; rdfs:range xsd:decimal .
:balance a owl:DatatypeProperty ; rdfs:domain :Account ; rdfs:range xsd:decimal .
:hasContract a owl:ObjectProperty ; rdfs:domain :Customer ; rdfs:range :Contract .
:hasInteraction a owl:ObjectProperty ; rdfs:domain :Customer ; rdfs:range :Interaction .
:referredBy a owl:ObjectProperty ; rdfs:domain :Customer ; rdfs:range :Customer .
`

const customerSDL = `type Contract {
  id: ID!
  uri: String!
  label: String
  monthlyFee: String
}

type Customer {
  id: ID!
  uri: String!
  label: String
  email: String
  hasContract: [Contract!]
  hasInteraction: [Interaction!]
  referredBy: [Customer!]
}

type Interaction {
  id: ID!
  uri: String!
  label: String
  channel: String
}

type Query {
  """List Contract entities from the knowledge graph."""
  contracts(limit: Int! = 50, offset: Int! = 0, search: String = null): [Contract!]!

  """Get a single Contract by ID."""
  contract(id: ID!): Contract

  """List Interaction entities from the knowledge graph."""
  interactions(limit: Int! = 50, offset: Int! = 0, search: String = null): [Interaction!]!

  """Get a single Interaction by ID."""
  interaction(id: ID!): Interaction

  """List Customer entities from the knowledge graph."""
  customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]!

  """Get a single Customer by ID."""
  customer(id: ID!): Customer
}`

// customerAnswers are the answers of Customer360 to a few queries, by their text.
func customerAnswers(query string, _ json.RawMessage) (int, []byte) {
	switch query {
	case "{ customers(limit: 2) { id label } }":
		return 200, []byte(`{"data":{"customers":[{"id":"CUST00094","label":"Jacob Martinez"},{"id":"CUST00095","label":"Ann Martin"}]}}`)
	case `{ customer(id: "CUST00094") { id label email hasContract { id monthlyFee } } }`:
		return 200, []byte(`{"data":{"customer":{"id":"CUST00094","label":"Jacob Martinez","email":"jacob.martinez@example.com",` +
			`"hasContract":[{"id":"CON1","monthlyFee":"49.90"}]}}}`)
	default:
		return 400, []byte(`{"errors":[{"message":"The query could not be executed.","path":null}]}`)
	}
}
