package main

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

func (w world) callEntities() iter.Seq[*entity] {
	agents := all(w.agents, func(number int) *entity {
		d := newDraw("agent", number)
		first, last := pick(d, firstNames), pick(d, lastNames)
		if last == "Martinez" {
			last = "Marlowe"
		}
		return customerSchema.entity("Agent", fmt.Sprintf("Agent/AGT%03d", number)).label(value{text: first + " " + last}).
			set("firstName", first).set("lastName", last).
			set("email", fmt.Sprintf("agent%d@example.com", number)).
			set("team", pick(d, []string{"Billing", "Technical", "Retention"}))
	})
	reasons := []string{"billing", "outage", "upgrade", "cancellation", "moving house", "new device"}
	calls := all(len(w.callOwner), func(number int) *entity {
		d := newDraw("call", number)
		id, reason := fmt.Sprintf("CALL%06d", number), pick(d, reasons)
		on := d.dayBetween(w.customer(w.callOwner[number-1]).since, snapshotDay)
		resolved := d.chance(70)
		mood := []string{"neutral", "negative"}
		if resolved {
			mood = []string{"positive", "neutral"}
		}
		return customerSchema.entity("Call", "Call/"+id).label(value{text: "Call about " + reason}).
			set("callId", id).set("callDate", openingHour(d, on)).
			set("durationSeconds", fmt.Sprint(d.between(45, 1800))).
			set("callReason", reason).set("sentiment", pick(d, mood)).
			set("resolved", fmt.Sprint(resolved)).
			set("handledBy", fmt.Sprintf("Agent/AGT%03d", d.between(1, w.agents)))
	})
	return chain(agents, calls)
}

// product is a row of the catalogue.
type product struct {
	code, kind, en, fr string
	cents              int
}

var catalogue = []product{
	{"PRD01", "Mobile", "Mobile 10 GB", "Mobile 10 Go", 1990},
	{"PRD02", "Mobile", "Mobile 50 GB", "Mobile 50 Go", 2490},
	{"PRD03", "Mobile", "Mobile unlimited", "Mobile illimité", 3490},
	{"PRD04", "Broadband", "Fibre 100", "Fibre 100", 2990},
	{"PRD05", "Broadband", "Fibre 1000", "Fibre 1000", 4990},
	{"PRD06", "Television", "Family channels", "Chaînes famille", 990},
	{"PRD07", "Television", "Cinema channels", "Chaînes cinéma", 1490},
	{"PRD08", "Business_Line", "Business line", "Ligne professionnelle", 7900},
	{"PRD09", "Business_Line", "Business line with fail-over", "Ligne professionnelle secourue", 14900},
}

func (w world) contractEntities() iter.Seq[*entity] {
	products := all(len(catalogue), func(number int) *entity {
		p := catalogue[number-1]
		return customerSchema.entity("Product", "Product/"+p.code).label(tagged(p.en, "en"), tagged(p.fr, "fr")).
			set("productCode", p.code).set("listPrice", money(p.cents))
	})
	subscriptionOf := map[int]int{} // contract → subscription
	for i, n := range w.subscribed {
		subscriptionOf[n] = i + 1
	}
	contracts := all(len(w.contractOwner), func(number int) *entity {
		c := w.contract(number)
		status := "expired"
		if c.isActive() {
			status = "active"
		}
		e := customerSchema.entity("Contract", "Contract/"+c.id).label(value{text: readable(c.kind) + " contract " + c.id}).
			set("contractId", c.id).set("contractType", c.kind).set("contractStatus", status).
			set("startDate", date(c.start)).set("endDate", date(c.end)).
			set("monthlyFee", money(c.monthlyCents)).set("currency", "EUR")
		if n, ok := subscriptionOf[number]; ok {
			e.set("hasSubscription", fmt.Sprintf("Subscription/SUB%05d", n))
		}
		return e
	})
	subscriptions := all(len(w.subscribed), func(number int) *entity {
		c := w.contract(w.subscribed[number-1])
		d := newDraw("subscription", number)
		var fitting []product
		for _, p := range catalogue {
			if p.kind == c.kind {
				fitting = append(fitting, p)
			}
		}
		p := pick(d, fitting)
		id := fmt.Sprintf("SUB%05d", number)
		return customerSchema.entity("Subscription", "Subscription/"+id).label(value{text: p.en + " under " + c.id}).
			set("activatedOn", date(d.dayBetween(c.start, c.start.AddDate(0, 0, 10)))).
			set("forProduct", "Product/"+p.code)
	})
	return chain(products, contracts, subscriptions)
}

// readable turns "Device_Insurance" into "Device insurance".
func readable(kind string) string {
	first, rest, ok := strings.Cut(kind, "_")
	if !ok {
		return kind
	}
	return first + " " + strings.ToLower(rest)
}

// claims counts the claims: one for each insurance contract and one more for every
// fourth.
func (w world) claims() int { return len(w.insured) + len(w.insured)/4 }

// claim is what more than one entity needs to know of a claim.
type claim struct {
	id       string
	contract contract
}

func (w world) claim(number int) claim {
	return claim{id: fmt.Sprintf("CLM%05d", number), contract: w.contract(w.insured[(number-1)%len(w.insured)])}
}

func (w world) claimEntities() iter.Seq[*entity] {
	damages := []string{"Broken screen", "Water damage", "Theft", "Loss", "Battery failure"}
	return all(w.claims(), func(number int) *entity {
		c := w.claim(number)
		d := newDraw("claim", number)
		incident := d.dayBetween(c.contract.start, c.contract.lastDay())
		filed := incident.AddDate(0, 0, d.between(0, 9))
		if filed.After(snapshotDay) {
			filed = snapshotDay
		}
		claimed := d.between(40, 900) * 100
		e := customerSchema.entity("Claim", "Claim/"+c.id).label(value{text: pick(d, damages) + " claim " + c.id}).
			set("claimId", c.id).set("incidentDate", date(incident)).set("filedOn", date(filed)).
			set("claimedAmount", money(claimed))
		switch {
		case filed.After(day(2026, time.June, 1)):
			e.set("claimStatus", "open")
		case d.chance(75):
			e.set("claimStatus", "approved").set("approvedAmount", money(claimed*d.between(60, 100)/100))
		default:
			e.set("claimStatus", "rejected").set("approvedAmount", money(0))
		}
		return e.set("concernsContract", "Contract/"+c.contract.id)
	})
}
