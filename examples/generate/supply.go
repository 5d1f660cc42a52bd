package main

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

const supplyYAML = `# Two published versions and a draft. The active one is the highest published: v2.
name: supply_chain
description: Suppliers, parts, shipments and purchase orders
versions: {v1: PUBLISHED, v2: PUBLISHED, v3: DRAFT}
base: https://ontobricks.com/supply/
# Suppliers and parts have no rdfs:label; these properties name them.
labels: [":companyName", ":partName"]
prefixes: {"": "https://ontobricks.com/supply#"}
ontology: [ontology.ttl]
data: ["data/*"]
# Agents are to ask for entities, not to survey the whole chain.
policy: {disabled_tools: [list_entity_types]}
`

// supply is one version of the supply chain.
type supply struct {
	version                             int
	s                                   *schema
	suppliers, parts, shipments, orders int
}

func writeSupplyChain(o output, w world) error {
	const dir = "supply_chain/"
	if err := o.text(dir+"domain.yaml", supplyYAML); err != nil {
		return err
	}
	scale := w.customers / 200
	for version := 1; version <= 3; version++ {
		c := supply{version: version, s: supplySchema(version), suppliers: 24 * scale, parts: 110 * scale, shipments: 160 * scale, orders: 200 * scale}
		if version == 3 { // a draft has a few rows to try it with
			c.shipments, c.orders = 20*scale, 20*scale
		}
		if err := c.write(o, fmt.Sprintf("%sv%d/", dir, version)); err != nil {
			return err
		}
	}
	return nil
}

func (c supply) write(o output, dir string) error {
	if err := o.ontology(dir+"ontology.ttl", c.s); err != nil {
		return err
	}
	prefixes := []prefix{
		{"supplier", c.s.base + "Supplier/"}, {"part", c.s.base + "Part/"}, {"shipment", c.s.base + "Shipment/"},
		{"warehouse", c.s.base + "Warehouse/"}, {"order", c.s.base + "PurchaseOrder/"},
	}
	catalogue := chain(c.supplierEntities(), c.partEntities())
	if err := o.data(dir+"data/catalogue", "Suppliers and the parts they deliver.", c.s, prefixes, catalogue); err != nil {
		return err
	}
	moves := c.shipmentEntities()
	if c.version >= 2 {
		moves = chain(c.warehouseEntities(), c.orderEntities(), moves)
	}
	return o.data(dir+"data/movements", "What was ordered and what is on its way.", c.s, prefixes, moves)
}

func (c supply) supplierEntities() iter.Seq[*entity] {
	return all(c.suppliers, func(number int) *entity {
		d := newDraw("supplier", number)
		return c.s.entity("Supplier", fmt.Sprintf("Supplier/SUP%04d", number)).
			set("companyName", companyFirst[number%len(companyFirst)]+" "+pick(d, []string{"Castings", "Circuits", "Components", "Metals", "Polymers", "Precision", "Supplies"})).
			set("contactEmail", fmt.Sprintf("sales%d@example.com", number)).
			set("rating", fmt.Sprint(d.between(1, 5)))
	})
}

// part is what more than one entity needs to know of a part.
type part struct {
	id, name, class string
	cents           int
	suppliers       []int
}

var partNames = map[string][]string{
	"ElectronicPart": {"Controller board", "Pressure sensor", "Motor driver", "Power supply", "Display module"},
	"MechanicalPart": {"Ball bearing", "Drive shaft", "Gear wheel", "Housing", "Valve"},
	"RawMaterial":    {"Aluminium sheet", "Copper wire", "Nylon granulate", "Steel rod"},
}

func (c supply) part(number int) part {
	d := newDraw("part", number)
	p := part{id: fmt.Sprintf("PRT%05d", number), class: pick(d, []string{"ElectronicPart", "MechanicalPart", "RawMaterial"})}
	p.name = fmt.Sprintf("%s %c%d", pick(d, partNames[p.class]), 'A'+rune(d.upTo(6)), number)
	p.cents = d.between(50, 25000)
	p.suppliers = []int{d.between(1, c.suppliers)}
	if second := d.between(1, c.suppliers); second != p.suppliers[0] && d.chance(40) {
		p.suppliers = append(p.suppliers, second)
	}
	return p
}

func (c supply) partEntities() iter.Seq[*entity] {
	return all(c.parts, func(number int) *entity {
		p := c.part(number)
		d := newDraw("part facts", number)
		class := "Part"
		if c.version >= 2 {
			class = p.class
		}
		e := c.s.entity(class, "Part/"+p.id).
			set("partName", p.name).set("partNumber", p.id).set("unitPrice", money(p.cents)).
			set("leadTimeDays", fmt.Sprint(d.between(2, 60))).
			set("suppliedBy", ids("Supplier/SUP%04d", p.suppliers)...)
		if c.version >= 2 {
			e.set("keptIn", fmt.Sprintf("Warehouse/WH%02d", d.between(1, warehouses)))
		}
		return e
	})
}

const warehouses = 6

func (c supply) warehouseEntities() iter.Seq[*entity] {
	return all(warehouses, func(number int) *entity {
		d := newDraw("warehouse", number)
		city := cities[number-1]
		return c.s.entity("Warehouse", fmt.Sprintf("Warehouse/WH%02d", number)).label(value{text: "Warehouse " + city}).
			set("city", city).set("capacityPallets", fmt.Sprint(d.between(4, 40)*100))
	})
}

func (c supply) orderEntities() iter.Seq[*entity] {
	return all(c.orders, func(number int) *entity {
		d := newDraw("order", number)
		p := c.part(d.between(1, c.parts))
		id, quantity := fmt.Sprintf("PO%05d", number), d.between(1, 40)*5
		return c.s.entity("PurchaseOrder", "PurchaseOrder/"+id).label(value{text: "Order " + id + " of " + strings.ToLower(p.name[:1]) + p.name[1:]}).
			set("ordersPart", "Part/"+p.id).
			set("orderedFrom", fmt.Sprintf("Supplier/SUP%04d", pick(d, p.suppliers))).
			set("quantity", fmt.Sprint(quantity)).
			set("orderedOn", date(d.dayBetween(day(2025, time.July, 1), snapshotDay))).
			set("totalPrice", money(quantity*p.cents))
	})
}

func (c supply) shipmentEntities() iter.Seq[*entity] {
	return all(c.shipments, func(number int) *entity {
		d := newDraw("shipment", number)
		p := c.part(d.between(1, c.parts))
		id, carrier := fmt.Sprintf("SHP%05d", number), pick(d, []string{"road", "road", "rail", "sea", "air"})
		left := d.dayBetween(day(2025, time.July, 1), snapshotDay)
		e := c.s.entity("Shipment", "Shipment/"+id).label(value{text: "Shipment " + id + " by " + carrier}).
			set("shippedBy", fmt.Sprintf("Supplier/SUP%04d", p.suppliers[0])).set("contains", "Part/"+p.id).
			set("carrier", carrier).set("shippedOn", date(left))
		if arrived := left.AddDate(0, 0, d.between(1, 30)); arrived.After(snapshotDay) {
			e.set("shipmentStatus", "in_transit")
		} else {
			e.set("shipmentStatus", "delivered").set("arrivedOn", date(arrived))
		}
		if c.version >= 2 {
			e.set("deliveredTo", fmt.Sprintf("Warehouse/WH%02d", d.between(1, warehouses)))
		}
		if c.version >= 3 {
			e.set("carbonFootprint", money(d.between(1000, 90000)))
		}
		return e
	})
}
