package examples_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/examples"
)

// crmRow is what the CRM master and the graph both tell of a customer.
type crmRow struct {
	Segment, Since string
	Contracts      int
	Cents          int // of all monthly fees
	Address        string
}

// TestCRMMaster holds that the dataset has one row for each customer of the graph
// and no other, and that both say the same where both say something.
func TestCRMMaster(t *testing.T) {
	graph := crmOfGraph(t)
	rows, header := readTable(t, "customer360/datasets/customers.csv")
	want := []string{"customer_id", "account_name", "segment", "customer_since", "contracts", "monthly_fees", "marketing_consent", "billing_address", "account_manager"}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Fatalf("columns (-want +got):\n%s", diff)
	}
	table := map[string]crmRow{}
	for _, row := range rows {
		if _, twice := table[row["customer_id"]]; twice {
			t.Errorf("%s has two rows", row["customer_id"])
		}
		contracts, err := strconv.Atoi(row["contracts"])
		if err != nil {
			t.Errorf("%s: %v", row["customer_id"], err)
		}
		r := crmRow{Segment: row["segment"], Since: row["customer_since"], Contracts: contracts, Cents: cents(t, row["monthly_fees"])}
		if graph[row["customer_id"]].Address != "" { // companies only
			r.Address = row["billing_address"]
		}
		table[row["customer_id"]] = r
	}
	if diff := cmp.Diff(graph, table); diff != "" {
		t.Errorf("customers (-graph +dataset):\n%s", diff)
	}
}

// TestCRMMasterShowsTypes holds that the dataset is an example of what a table can
// hold: both truth values, empty cells, and cells that must be quoted.
func TestCRMMasterShowsTypes(t *testing.T) {
	rows, _ := readTable(t, "customer360/datasets/customers.csv")
	for what, shows := range map[string]func(map[string]string) bool{
		"true":              func(r map[string]string) bool { return r["marketing_consent"] == "true" },
		"false":             func(r map[string]string) bool { return r["marketing_consent"] == "false" },
		"an empty cell":     func(r map[string]string) bool { return r["account_manager"] == "" },
		"a manager":         func(r map[string]string) bool { return r["account_manager"] != "" },
		"a comma in a cell": func(r map[string]string) bool { return strings.Contains(r["account_name"], ",") },
		"several contracts": func(r map[string]string) bool { return r["contracts"] != "1" },
	} {
		if !slices.ContainsFunc(rows, shows) {
			t.Errorf("no row shows %s", what)
		}
	}
}

// crmOfGraph reads from the facts of customer360 what the dataset tells too, by the
// customer's number.
func crmOfGraph(t *testing.T) map[string]crmRow {
	t.Helper()
	const ns = "https://ontobricks.com/ontology#"
	facts := map[string]map[string][]string{} // subject → property → values
	for _, s := range readTriples(t, examples.FS(), "customer360") {
		subject := s.Subject.Value
		if facts[subject] == nil {
			facts[subject] = map[string][]string{}
		}
		p := strings.TrimPrefix(s.Predicate.Value, ns)
		facts[subject][p] = append(facts[subject][p], s.Object.Value)
	}
	out := map[string]crmRow{}
	for _, f := range facts {
		if len(f["customerId"]) == 0 {
			continue
		}
		r := crmRow{Segment: f["segment"][0], Since: f["customerSince"][0], Contracts: len(f["hasContract"])}
		for _, c := range f["hasContract"] {
			r.Cents += cents(t, facts[c]["monthlyFee"][0])
		}
		if at := f["hasAddress"]; len(at) > 0 {
			r.Address = fmt.Sprintf("%s, %s", facts[at[0]]["street"][0], facts[at[0]]["city"][0])
		}
		out[f["customerId"][0]] = r
	}
	if len(out) < 100 {
		t.Fatalf("the graph knows %d customers", len(out))
	}
	return out
}

// readTable reads a file with a header: each row by column, and the columns in order.
func readTable(t *testing.T, file string) (rows []map[string]string, header []string) {
	t.Helper()
	f, err := examples.FS().Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %d lines, %v", file, len(all), err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows, all[0]
}
