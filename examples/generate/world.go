package main

import (
	"fmt"
	"strings"
	"time"
)

// world says how many of everything there are and who owns what. The attributes of
// an entity are drawn from its number alone, so that two domains which tell of the
// same contract agree.
type world struct {
	customers, agents int
	// owners: index n-1 holds the customer of number n.
	contractOwner, interactionOwner, callOwner []int
	insured                                    []int // numbers of the insurance contracts
	subscribed                                 []int // numbers of the contracts with a subscription
}

// The customer of the documentation: one contract, one interaction, nothing else.
const (
	jacob            = 94
	jacobContract    = 131
	jacobInteraction = 19
)

func newWorld(scale int) world {
	w := world{customers: 200 * scale, agents: 18 * scale}
	w.contractOwner = w.contractOwners(240 * scale)
	w.interactionOwner = w.owners("interaction owner", 380*scale, jacobInteraction)
	w.callOwner = w.owners("call owner", 230*scale, 0)
	for n := range w.contractOwner {
		switch c := w.contract(n + 1); {
		case c.kind == "Device_Insurance":
			w.insured = append(w.insured, c.number)
		case c.owner != jacob:
			w.subscribed = append(w.subscribed, c.number)
		}
	}
	return w
}

// owners gives each of n things a customer by chance. Jacob Martinez gets the one
// numbered jacobs and no other; with 0 he gets none.
func (w world) owners(topic string, n, jacobs int) []int {
	out := make([]int, n)
	for i := range out {
		owner := newDraw(topic, i+1).between(1, w.customers)
		switch {
		case i+1 == jacobs:
			owner = jacob
		case owner == jacob:
			owner = jacob + 1
		}
		out[i] = owner
	}
	return out
}

// contractOwners is owners, but every customer has a contract.
func (w world) contractOwners(n int) []int {
	out := w.owners("contract owner", n, jacobContract)
	for i := range w.customers {
		switch i + 1 {
		case jacobContract:
		case jacob:
			out[i] = jacobContract
		default:
			out[i] = i + 1
		}
	}
	return out
}

// owned turns owners round: index c holds the things of customer c, in order.
func (w world) owned(owners []int) [][]int {
	out := make([][]int, w.customers+1)
	for i, owner := range owners {
		out[owner] = append(out[owner], i+1)
	}
	return out
}

// customer is what more than one entity needs to know of a customer.
type customer struct {
	number      int
	id          string
	first, last string
	company     string // empty for a person
	since       time.Time
}

func (w world) customer(number int) customer {
	d := newDraw("customer", number)
	c := customer{number: number, id: fmt.Sprintf("CUST%05d", number), first: pick(d, firstNames), last: pick(d, lastNames)}
	c.since = d.dayBetween(day(2016, time.January, 1), day(2025, time.June, 30))
	if number%8 == 5 {
		c.company = pick(d, companyFirst) + " " + pick(d, companyLast)
	}
	switch {
	case number == jacob:
		c.first, c.last, c.since = "Jacob", "Martinez", day(2024, time.March, 12)
	case c.first == "Jacob" && c.last == "Martinez":
		c.first = "Jasmin"
	}
	return c
}

// hasLoyaltyCard reports whether the loyalty programme knows the customer; it
// writes customers under an IRI of its own.
func (c customer) hasLoyaltyCard() bool { return c.number%10 == jacob%10 }

func (c customer) name() string {
	if c.company != "" {
		return c.company
	}
	return c.first + " " + c.last
}

func (c customer) email() string {
	return fmt.Sprintf("%s.%s%d@example.com", strings.ToLower(c.first), strings.ToLower(c.last), c.number)
}

// contract is what customer360 and finance both know of a contract.
type contract struct {
	number, owner int
	id, kind      string
	start, end    time.Time
	monthlyCents  int
}

// fees are the monthly fees of each kind of contract, in cents.
var fees = map[string][]int{
	"Mobile":           {1990, 2490, 3490, 4990},
	"Broadband":        {2990, 3990, 4990},
	"Television":       {990, 1490, 1990},
	"Business_Line":    {7900, 9900, 14900},
	"Device_Insurance": {490, 790, 1190},
}

func (w world) contract(number int) contract {
	d := newDraw("contract", number)
	c := contract{number: number, id: fmt.Sprintf("CON%05d", number), owner: w.contractOwner[number-1]}
	owner := w.customer(c.owner)
	switch {
	case number%4 == 0:
		c.kind = "Device_Insurance"
	case owner.company != "":
		c.kind = "Business_Line"
	default:
		c.kind = pick(d, []string{"Mobile", "Broadband", "Television"})
	}
	c.start = d.dayBetween(owner.since, owner.since.AddDate(2, 0, 0))
	if c.start.After(day(2026, time.May, 31)) {
		c.start = day(2026, time.May, 31)
	}
	c.end = c.start.AddDate(pick(d, []int{1, 2, 2, 4}), 0, -1)
	c.monthlyCents = pick(d, fees[c.kind])
	return c
}

func (c contract) isActive() bool { return c.end.After(snapshotDay) }

// lastDay is the last day of the contract that the samples know of.
func (c contract) lastDay() time.Time {
	if c.isActive() {
		return snapshotDay
	}
	return c.end
}
