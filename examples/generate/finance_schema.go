package main

// financeSchema is the ontology of finance. It tells of the same contracts as
// customer360, under the same numbers and IRIs of its own.
var financeSchema = &schema{
	iri:     "https://ontobricks.com/finance",
	title:   "Finance",
	comment: "What customers owe and what they paid.",
	version: "1",
	ns:      "https://ontobricks.com/finance#",
	base:    "https://ontobricks.com/finance/",
	classes: []class{
		{name: "Contract", en: "Contract", fr: "Contrat", comment: "An agreement that is invoiced every quarter.",
			bounds: []bound{{"contractId", "cardinality", 1}, {"customerId", "cardinality", 1}}},
		{name: "Document", en: "Document", comment: "A numbered accounting document."},
		{name: "Invoice", super: "Document", en: "Invoice", fr: "Facture", comment: "A demand for the fees of a quarter.",
			bounds: []bound{{"invoices", "cardinality", 1}, {"grossAmount", "cardinality", 1}}},
		{name: "CreditNote", super: "Document", en: "Credit note", fr: "Avoir", comment: "An amount given back on an invoice."},
		{name: "Payment", en: "Payment", fr: "Paiement", comment: "Money received for an invoice.", bounds: []bound{{"settles", "cardinality", 1}}},
	},
	props: []property{
		{name: "contractId", domain: "Contract", rng: "xsd:string", en: "contractid", fr: "numéro de contrat", comment: "The contract's number, the same in customer360.", traits: functional | inverseFunctional},
		{name: "customerId", domain: "Contract", rng: "xsd:string", en: "customerid", fr: "numéro de client", comment: "Number of the customer in customer360.", traits: functional},
		{name: "heldBy", domain: "Contract", rng: customerSchema.ns + "Customer", en: "heldby", comment: "The customer, by the IRI that customer360 gives.", traits: functional},
		{name: "contractType", domain: "Contract", rng: "xsd:string", en: "contracttype", comment: "Mobile, Broadband, Television, Business_Line or Device_Insurance.", traits: functional},
		{name: "monthlyFee", domain: "Contract", rng: "xsd:decimal", en: "monthlyfee", fr: "mensualité", comment: "Fee for a month in EUR, without tax.", traits: functional},
		{name: "invoices", domain: "Invoice", rng: "Contract", en: "invoices", comment: "The contract that is invoiced.", inverse: "invoicedBy", traits: functional},
		{name: "invoicedBy", domain: "Contract", rng: "Invoice", en: "invoicedby", comment: "An invoice for the contract.", inverse: "invoices"},
		{name: "documentDate", domain: "Document", rng: "xsd:date", en: "documentdate", fr: "date du document", comment: "Day of issue.", traits: functional},
		{name: "dueDate", domain: "Invoice", rng: "xsd:date", en: "duedate", fr: "date d'échéance", comment: "Last day to pay.", traits: functional},
		{name: "netAmount", domain: "Document", rng: "xsd:decimal", en: "netamount", fr: "montant hors taxe", comment: "Amount in EUR without tax.", traits: functional},
		{name: "taxAmount", domain: "Document", rng: "xsd:decimal", en: "taxamount", fr: "montant de la taxe", comment: "Tax of 20 percent in EUR.", traits: functional},
		{name: "grossAmount", domain: "Document", rng: "xsd:decimal", en: "grossamount", fr: "montant total", comment: "Amount in EUR with tax.", traits: functional},
		{name: "invoiceStatus", domain: "Invoice", rng: "xsd:string", en: "invoicestatus", comment: "paid, open or overdue.", traits: functional},
		{name: "corrects", domain: "CreditNote", rng: "Invoice", en: "corrects", comment: "The invoice that the amount is given back on.", traits: functional},
		{name: "settles", domain: "Payment", rng: "Invoice", en: "settles", comment: "The invoice that was paid.", inverse: "settledBy", traits: functional},
		{name: "settledBy", domain: "Invoice", rng: "Payment", en: "settledby", comment: "A payment for the invoice.", inverse: "settles"},
		{name: "paidOn", domain: "Payment", rng: "xsd:date", en: "paidon", fr: "payé le", comment: "Day on which the money arrived.", traits: functional},
		{name: "amount", domain: "Payment", rng: "xsd:decimal", en: "amount", fr: "montant", comment: "Amount received in EUR.", traits: functional},
		{name: "paymentMethod", domain: "Payment", rng: "xsd:string", en: "paymentmethod", comment: "direct_debit, card or transfer.", traits: functional},
	},
}
