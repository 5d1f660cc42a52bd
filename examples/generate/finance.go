package main

import (
	"fmt"
	"iter"
	"slices"
	"time"
)

const financeYAML = `# Invoices and payments for the contracts of customer360.
name: finance
description: Contracts, invoices and payments
base: https://ontobricks.com/finance/
languages: [en, fr]
prefixes: {"": "https://ontobricks.com/finance#"}
ontology: [ontology.ttl]
data: ["data/*"]
# Where the books are kept is nobody's business: get_status is hidden.
policy: {disabled_tools: [get_status]}
`

var financePrefixes = []prefix{
	{"contract", financeSchema.base + "Contract/"}, {"invoice", financeSchema.base + "Invoice/"},
	{"credit", financeSchema.base + "CreditNote/"}, {"payment", financeSchema.base + "Payment/"},
	{"customer", customerSchema.base + "Customer/"},
}

func writeFinance(o output, w world) error {
	const dir = "finance/"
	if err := o.text(dir+"domain.yaml", financeYAML); err != nil {
		return err
	}
	if err := o.ontology(dir+"ontology.ttl", financeSchema); err != nil {
		return err
	}
	for _, f := range []struct {
		name, comment string
		entities      iter.Seq[*entity]
	}{
		{"contracts", "The contracts of customer360 as the books see them.", w.bookedContracts()},
		{"invoices", "Invoices with the credit notes and payments that belong to them.", w.bookings()},
	} {
		if err := o.data(dir+"data/"+f.name, f.comment, financeSchema, financePrefixes, f.entities); err != nil {
			return err
		}
	}
	return nil
}

func (w world) bookedContracts() iter.Seq[*entity] {
	return all(len(w.contractOwner), func(number int) *entity {
		c := w.contract(number)
		owner := w.customer(c.owner)
		return financeSchema.entity("Contract", "Contract/"+c.id).
			label(value{text: readable(c.kind) + " contract " + c.id + " of " + owner.id}).
			set("contractId", c.id).set("customerId", owner.id).
			set("heldBy", customerSchema.base+"Customer/"+owner.id).
			set("contractType", c.kind).set("monthlyFee", money(c.monthlyCents))
	})
}

// invoice is the demand for one quarter of a contract.
type invoice struct {
	id       string
	contract contract
	on, due  time.Time
	netCents int
}

// invoicesOf are the last invoices of a contract, two at most, the earlier one
// first. A quarter that the contract ran through in full is invoiced on the first
// day of the next one.
func invoicesOf(c contract) []invoice {
	var out []invoice
	end := c.lastDay().AddDate(0, 0, 1)
	on := day(end.Year(), (end.Month()-1)/3*3+1, 1)
	for ; len(out) < 2 && !on.AddDate(0, -3, 0).Before(c.start); on = on.AddDate(0, -3, 0) {
		id := fmt.Sprintf("INV-%s-%s", c.id, on.Format("0601"))
		out = append(out, invoice{id: id, contract: c, on: on, due: on.AddDate(0, 0, 30), netCents: 3 * c.monthlyCents})
	}
	slices.Reverse(out)
	return out
}

func (v invoice) taxCents() int   { return v.netCents / 5 }
func (v invoice) grossCents() int { return v.netCents + v.taxCents() }

func (w world) bookings() iter.Seq[*entity] {
	return func(yield func(*entity) bool) {
		for number := range w.contractOwner {
			for i, v := range invoicesOf(w.contract(number + 1)) {
				for _, e := range v.entities(newDraw("invoice", 2*number+i)) {
					if !yield(e) {
						return
					}
				}
			}
		}
	}
}

// entities are the invoice and what followed it: one payment, two halves, or none,
// and now and then a credit note.
func (v invoice) entities(d draw) []*entity {
	status, parts := "paid", 1
	switch {
	case v.due.After(snapshotDay) && d.chance(40):
		status, parts = "open", 0
	case v.due.After(snapshotDay.AddDate(0, -4, 0)) && v.due.Before(snapshotDay) && d.chance(15):
		status, parts = "overdue", 0
	case v.due.Before(snapshotDay) && d.chance(8):
		parts = 2
	}
	e := financeSchema.entity("Invoice", "Invoice/"+v.id).label(value{text: "Invoice " + v.id}).
		set("invoices", "Contract/"+v.contract.id).
		set("documentDate", date(v.on)).set("dueDate", date(v.due)).
		set("netAmount", money(v.netCents)).set("taxAmount", money(v.taxCents())).set("grossAmount", money(v.grossCents())).
		set("invoiceStatus", status)
	out := []*entity{e}
	left := v.grossCents()
	for part := range parts {
		cents := left / (parts - part)
		left -= cents
		id := fmt.Sprintf("PAY-%s-%d", v.id[len("INV-"):], part+1)
		out = append(out, financeSchema.entity("Payment", "Payment/"+id).label(value{text: "Payment " + id}).
			set("settles", "Invoice/"+v.id).
			set("paidOn", date(v.on.AddDate(0, 0, d.between(3, 14)+14*part))).
			set("amount", money(cents)).
			set("paymentMethod", pick(d, []string{"direct_debit", "direct_debit", "card", "transfer"})))
	}
	if status == "paid" && v.due.Before(snapshotDay) && d.chance(4) {
		out = append(out, v.creditNote())
	}
	return out
}

// creditNote gives a tenth of the invoice back, a month after it.
func (v invoice) creditNote() *entity {
	id := "CRN-" + v.id[len("INV-"):]
	net := v.netCents / 10 / 5 * 5 // a multiple of 5 has a tax of whole cents
	return financeSchema.entity("CreditNote", "CreditNote/"+id).label(value{text: "Credit note " + id}).
		set("corrects", "Invoice/"+v.id).set("documentDate", date(v.on.AddDate(0, 1, 0))).
		set("netAmount", money(net)).set("taxAmount", money(net/5)).set("grossAmount", money(net+net/5))
}
