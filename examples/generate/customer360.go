package main

import (
	"fmt"
	"iter"
	"time"
)

const customerYAML = `# Customers of a telephone and broadband company. docs/domains.md tells what each key means.
name: customer360
description: Customer 360 with interactions, contracts and claims
base: https://ontobricks.com/ontology/
languages: [en, fr]
prefixes: {"": "https://ontobricks.com/ontology#"}
ontology: [ontology.ttl]
data: ["data/*"]
classes:
  Customer:
    # A table of the domain: one row for each customer, found by the end of its IRI.
    dataset: {file: datasets/customers.csv, name: main.crm.customers, key: customer_id, description: CRM master}
    # Where else something is known of a customer. finance knows contracts by the customer's number.
    bridges:
      - {domain: finance, class: Contract, label: Owns contracts}
    # Functions that examples/actions answers. They are served with --allow-action-host 127.0.0.1:9101.
    virtual_attributes:
      - name: main.analytics.customer_value
        url: http://127.0.0.1:9101/customer_value
        description: What the customer is worth, and what to offer next
        attributes:
          - {name: lifetimeValue, column: lifetime_value, label: lifetime value in EUR, type: DOUBLE}
          - {name: churnRisk, column: churn_risk, label: risk of leaving from 0 to 1, type: DOUBLE}
          - {name: nextOffer, column: next_offer, label: next offer, type: STRING}
    actions:
      - name: main.ops.open_ticket
        url: http://127.0.0.1:9101/open_ticket
        description: Open a ticket about the customer for the service desk
        returns_table: true
  Contract:
    bridges:
      - {domain: finance, class: Invoice, label: Is invoiced by}
`

// customerPrefixes name the IRIs of entities. "known" is the second IRI that the
// loyalty programme gives to customers.
var customerPrefixes = []prefix{
	{"customer", customerSchema.base + "Customer/"}, {"interaction", customerSchema.base + "Interaction/"},
	{"call", customerSchema.base + "Call/"}, {"agent", customerSchema.base + "Agent/"},
	{"contract", customerSchema.base + "Contract/"}, {"subscription", customerSchema.base + "Subscription/"},
	{"product", customerSchema.base + "Product/"}, {"claim", customerSchema.base + "Claim/"},
	{"known", customerSchema.base},
}

func writeCustomer360(o output, w world) error {
	const dir = "customer360/"
	if err := o.text(dir+"domain.yaml", customerYAML); err != nil {
		return err
	}
	if err := o.ontology(dir+"ontology.ttl", customerSchema); err != nil {
		return err
	}
	if err := o.table(dir+"datasets/customers.csv", w.crmMaster); err != nil {
		return err
	}
	for _, f := range []struct {
		name, comment string
		entities      iter.Seq[*entity]
	}{
		{"customers", "Customers, from the customer relationship system.", w.customerEntities()},
		{"loyalty", "What the loyalty programme knows of customers. It gives them IRIs of its own and no type.", w.loyaltyEntities()},
		{"interactions", "Contacts through channels other than the telephone.", w.interactionEntities()},
		{"calls", "Telephone calls and the agents who answered them.", w.callEntities()},
		{"contracts", "Contracts, subscriptions and the products subscribed to.", w.contractEntities()},
		{"claims", "Claims under insurance contracts.", w.claimEntities()},
	} {
		if err := o.data(dir+"data/"+f.name, f.comment, customerSchema, customerPrefixes, f.entities); err != nil {
			return err
		}
	}
	return nil
}

// all yields build(1) to build(n).
func all(n int, build func(number int) *entity) iter.Seq[*entity] {
	return func(yield func(*entity) bool) {
		for i := range n {
			if !yield(build(i + 1)) {
				return
			}
		}
	}
}

// chain yields the entities of several sequences.
func chain(seqs ...iter.Seq[*entity]) iter.Seq[*entity] {
	return func(yield func(*entity) bool) {
		for _, seq := range seqs {
			for e := range seq {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// ids writes numbers as ids: format "Call/CALL%06d".
func ids(format string, numbers []int) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = fmt.Sprintf(format, n)
	}
	return out
}

func (w world) customerEntities() iter.Seq[*entity] {
	interactions, calls, contracts := w.owned(w.interactionOwner), w.owned(w.callOwner), w.owned(w.contractOwner)
	claims := make([][]int, w.customers+1)
	for n := range w.claims() {
		owner := w.claim(n + 1).contract.owner
		claims[owner] = append(claims[owner], n+1)
	}
	return all(w.customers, func(number int) *entity {
		c := w.customer(number)
		d := newDraw("customer facts", number)
		class, segment := "Customer", c.segment(d)
		if c.company != "" {
			class = "BusinessCustomer"
		}
		e := customerSchema.entity(class, "Customer/"+c.id).label(value{text: c.name()}).
			set("customerId", c.id).set("firstName", c.first).set("lastName", c.last)
		if c.company == "" {
			e.set("birthDate", date(d.dayBetween(day(1945, time.January, 1), day(1997, time.December, 31))))
		} else {
			c.companyFacts(e, d)
		}
		e.set("customerSince", date(c.since)).set("segment", segment).set("email", c.email())
		if !c.hasLoyaltyCard() {
			e.set("phone", phone(d))
		}
		return e.set("hasContract", ids("Contract/CON%05d", contracts[number])...).
			set("hasInteraction", ids("Interaction/INT%06d", interactions[number])...).
			set("hasCall", ids("Call/CALL%06d", calls[number])...).
			set("hasClaim", ids("Claim/CLM%05d", claims[number])...)
	})
}

func (c customer) companyFacts(e *entity, d draw) {
	address := postalAddress(d)
	e.set("companyName", c.company).
		set("website", fmt.Sprintf("https://customer%d.example/", c.number)).
		nest("hasAddress", "Address", "street", address.street, "city", address.city)
	if c.since.Year() < 2019 {
		e.set("faxNumber", phone(d))
	}
}

// phone draws a number from the range that is reserved for fiction.
func phone(d draw) string {
	return fmt.Sprintf("+1-%s-555-01%02d", pick(d, []string{"202", "303", "415", "617", "713"}), d.upTo(100))
}

func (w world) loyaltyEntities() iter.Seq[*entity] {
	return func(yield func(*entity) bool) {
		for number := jacob % 10; number <= w.customers; number += 10 {
			c := w.customer(number)
			if !c.hasLoyaltyCard() {
				continue
			}
			d := newDraw("loyalty", number)
			e := customerSchema.entity("", c.id).
				set("loyaltyNumber", fmt.Sprintf("LOY-%07d", 4000000+number)).
				set("loyaltyTier", pick(d, []string{"bronze", "bronze", "silver", "gold"})).
				set("loyaltyPoints", fmt.Sprint(d.upTo(250)*20)).
				set("phone", phone(d))
			if number%30 == 14 && number > 20 {
				e.set("referredBy", fmt.Sprintf("CUST%05d", number-20))
			}
			if !yield(e) {
				return
			}
		}
	}
}

// openingHour draws a time of day for something that happened on a day.
func openingHour(d draw, on time.Time) string {
	at := on.Add(time.Duration(d.between(8*60, 19*60)) * time.Minute)
	return at.Format("2006-01-02T15:04:05Z07:00")
}

func (w world) interactionEntities() iter.Seq[*entity] {
	kinds := []string{"Service_Activation", "Billing_Question", "Address_Change", "Contract_Renewal", "Technical_Support", "Complaint", "Product_Information", "Cancellation_Request"}
	channels := []string{"in_person", "email", "chat", "web_portal", "mobile_app"}
	return all(len(w.interactionOwner), func(number int) *entity {
		d := newDraw("interaction", number)
		kind, channel := pick(d, kinds), pick(d, channels)
		if number == jacobInteraction {
			kind, channel = "Service_Activation", "in_person"
		}
		id := fmt.Sprintf("INT%06d", number)
		on := d.dayBetween(w.customer(w.interactionOwner[number-1]).since, snapshotDay)
		return customerSchema.entity("Interaction", "Interaction/"+id).label(value{text: kind + " via " + channel}).
			set("interactionId", id).set("interactionType", kind).set("channel", channel).
			set("date", openingHour(d, on)).
			set("outcome", pick(d, []string{"resolved", "resolved", "follow_up", "escalated"})).
			set("durationMinutes", fmt.Sprint(d.between(3, 45))).
			set("satisfactionScore", fmt.Sprint(d.between(1, 5)))
	})
}
