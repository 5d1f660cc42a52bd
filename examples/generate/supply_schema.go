package main

import "strconv"

// supplySchema is the ontology of a version of supply_chain: version 1 has
// suppliers, parts and shipments; 2 adds kinds of parts, warehouses and purchase
// orders; 3 adds the carbon footprint and is a draft.
func supplySchema(version int) *schema {
	s := &schema{
		iri:     "https://ontobricks.com/supply",
		title:   "Supply chain",
		comment: "Who delivers which part, and what is on its way.",
		version: strconv.Itoa(version),
		ns:      "https://ontobricks.com/supply#",
		base:    "https://ontobricks.com/supply/",
		classes: append([]class{}, supplyClasses...),
		props:   append([]property{}, supplyProperties...),
	}
	if version >= 2 {
		s.classes = append(s.classes, supplyClasses2...)
		s.props = append(s.props, supplyProperties2...)
	}
	if version >= 3 {
		s.props = append(s.props, property{name: "carbonFootprint", domain: "Shipment", rng: "xsd:decimal", en: "carbonfootprint",
			comment: "Emissions of the transport in kilograms of CO2.", traits: functional})
	}
	return s
}

var supplyClasses = []class{
	{name: "Supplier", en: "Supplier", comment: "A company that delivers parts.", bounds: []bound{{"companyName", "cardinality", 1}}},
	{name: "Part", en: "Part", comment: "Something that is bought and built in.", bounds: []bound{{"suppliedBy", "minCardinality", 1}}},
	{name: "Shipment", en: "Shipment", comment: "Parts on their way from a supplier.", bounds: []bound{{"contains", "minCardinality", 1}}},
}

var supplyClasses2 = []class{
	{name: "ElectronicPart", super: "Part", en: "Electronic part", comment: "A part with circuits."},
	{name: "MechanicalPart", super: "Part", en: "Mechanical part", comment: "A part without circuits."},
	{name: "RawMaterial", super: "Part", en: "Raw material", comment: "Something that is worked before it is built in."},
	{name: "Warehouse", en: "Warehouse", comment: "A place where parts are kept."},
	{name: "PurchaseOrder", en: "Purchase order", comment: "An order for one part.", bounds: []bound{{"ordersPart", "cardinality", 1}}},
}

var supplyProperties = []property{
	{name: "companyName", domain: "Supplier", rng: "xsd:string", en: "companyname", comment: "Registered name.", traits: functional},
	{name: "contactEmail", domain: "Supplier", rng: "xsd:string", en: "contactemail", comment: "Address for electronic mail."},
	{name: "rating", domain: "Supplier", rng: "xsd:integer", en: "rating", comment: "Reliability from 1 to 5.", traits: functional},
	{name: "partName", domain: "Part", rng: "xsd:string", en: "partname", comment: "Name in the parts list.", traits: functional},
	{name: "partNumber", domain: "Part", rng: "xsd:string", en: "partnumber", comment: "Number in the parts list.", traits: functional | inverseFunctional},
	{name: "unitPrice", domain: "Part", rng: "xsd:decimal", en: "unitprice", comment: "Price of one piece in EUR.", traits: functional},
	{name: "leadTimeDays", domain: "Part", rng: "xsd:integer", en: "leadtimedays", comment: "Days from order to delivery.", traits: functional},
	{name: "suppliedBy", domain: "Part", rng: "Supplier", en: "suppliedby", comment: "A supplier of the part.", inverse: "supplies"},
	{name: "supplies", domain: "Supplier", rng: "Part", en: "supplies", comment: "A part that the supplier delivers.", inverse: "suppliedBy"},
	{name: "shippedBy", domain: "Shipment", rng: "Supplier", en: "shippedby", comment: "Who sent it.", traits: functional},
	{name: "contains", domain: "Shipment", rng: "Part", en: "contains", comment: "A part in the shipment."},
	{name: "shippedOn", domain: "Shipment", rng: "xsd:date", en: "shippedon", comment: "Day of departure.", traits: functional},
	{name: "arrivedOn", domain: "Shipment", rng: "xsd:date", en: "arrivedon", comment: "Day of arrival; absent while on its way.", traits: functional},
	{name: "shipmentStatus", domain: "Shipment", rng: "xsd:string", en: "shipmentstatus", comment: "in_transit or delivered.", traits: functional},
	{name: "carrier", domain: "Shipment", rng: "xsd:string", en: "carrier", comment: "How it travels: road, rail, sea or air.", traits: functional},
}

var supplyProperties2 = []property{
	{name: "keptIn", domain: "Part", rng: "Warehouse", en: "keptin", comment: "Where the part is kept."},
	{name: "city", domain: "Warehouse", rng: "xsd:string", en: "city", comment: "Town or city.", traits: functional},
	{name: "capacityPallets", domain: "Warehouse", rng: "xsd:integer", en: "capacitypallets", comment: "Room for pallets.", traits: functional},
	{name: "deliveredTo", domain: "Shipment", rng: "Warehouse", en: "deliveredto", comment: "Where the shipment goes.", traits: functional},
	{name: "ordersPart", domain: "PurchaseOrder", rng: "Part", en: "orderspart", comment: "The part ordered.", traits: functional},
	{name: "orderedFrom", domain: "PurchaseOrder", rng: "Supplier", en: "orderedfrom", comment: "Whom it was ordered from.", traits: functional},
	{name: "quantity", domain: "PurchaseOrder", rng: "xsd:integer", en: "quantity", comment: "Pieces ordered.", traits: functional},
	{name: "orderedOn", domain: "PurchaseOrder", rng: "xsd:date", en: "orderedon", comment: "Day of the order.", traits: functional},
	{name: "totalPrice", domain: "PurchaseOrder", rng: "xsd:decimal", en: "totalprice", comment: "Quantity times unit price in EUR.", traits: functional},
}
