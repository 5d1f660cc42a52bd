package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// crmColumns are those of the CRM master, the dataset of customers. What the graph
// tells too, it tells the same way: segment, customer_since, contracts and
// monthly_fees. The rest is only here.
var crmColumns = []string{
	"customer_id",       // text, the key: the end of the customer's IRI
	"account_name",      // text: "Martinez, Jacob", or the company's name
	"segment",           // text
	"customer_since",    // date
	"contracts",         // whole number: how many contracts the graph knows
	"monthly_fees",      // decimal with two places: the sum of their fees, in EUR
	"marketing_consent", // true or false
	"billing_address",   // text: "12 Canal Road, Fairview"
	"account_manager",   // text; empty but for companies and premium customers
}

// crmMaster writes one row for each customer.
func (w world) crmMaster(out io.Writer) error {
	owned := w.owned(w.contractOwner)
	rows := csv.NewWriter(out)
	if err := rows.Write(crmColumns); err != nil {
		return err
	}
	for i := range w.customers {
		if err := rows.Write(w.crmRow(i+1, owned[i+1])); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

// crmRow is the row of a customer with these contracts.
func (w world) crmRow(number int, contracts []int) []string {
	c := w.customer(number)
	facts, own := newDraw("customer facts", number), newDraw("crm", number)
	name, segment, manager := c.last+", "+c.first, c.segment(facts), ""
	address := postalAddress(own)
	if c.company != "" {
		name, address = c.company, postalAddress(facts) // the graph has addresses of companies
	}
	if segment == "business" || segment == "premium" {
		manager = pick(own, firstNames) + " " + pick(own, lastNames)
	}
	cents := 0
	for _, n := range contracts {
		cents += w.contract(n).monthlyCents
	}
	return []string{
		c.id, name, segment, date(c.since), strconv.Itoa(len(contracts)), money(cents),
		strconv.FormatBool(own.chance(60)), address.street + ", " + address.city, manager,
	}
}

// segment draws the marketing segment; it is the first thing that is drawn of a
// customer's facts.
func (c customer) segment(facts draw) string {
	segment := pick(facts, []string{"standard", "standard", "family", "premium"})
	if c.company != "" {
		return "business"
	}
	return segment
}

// postal is where somebody lives or sits.
type postal struct{ street, city string }

func postalAddress(d draw) postal {
	street := fmt.Sprintf("%d %s", d.between(1, 180), pick(d, streets))
	return postal{street, pick(d, cities)}
}
