package main

// Words that invented people, companies and things are put together from.

var firstNames = []string{
	"Amelia", "Anton", "Aisha", "Beatrice", "Bruno", "Camille", "Chen", "Clara", "Daniel", "Daria",
	"Elena", "Emil", "Farid", "Fiona", "Gabriel", "Greta", "Hana", "Hugo", "Ines", "Ivan",
	"Jasmin", "Jacob", "Julien", "Kaito", "Karin", "Lena", "Liam", "Lucia", "Malik", "Margot",
	"Mateo", "Mina", "Nadia", "Noah", "Olga", "Oscar", "Paula", "Pierre", "Quentin", "Rania",
	"Rosa", "Samuel", "Sofia", "Tariq", "Theo", "Uma", "Valerie", "Victor", "Yara", "Zoe",
}

var lastNames = []string{
	"Abbott", "Almeida", "Anders", "Baker", "Bauer", "Bernard", "Blanco", "Brooks", "Castellan", "Cohen",
	"Dahl", "Delacroix", "Dubois", "Eriksen", "Farrow", "Fischer", "Fontaine", "Garnier", "Grant", "Haas",
	"Harper", "Ibarra", "Ito", "Jensen", "Kowalski", "Kumar", "Lambert", "Larsen", "Lefevre", "Lindgren",
	"Martinez", "Meyer", "Moreau", "Nakamura", "Navarro", "Novak", "Okafor", "Olsen", "Ortega", "Palmer",
	"Pereira", "Quinn", "Ramos", "Renaud", "Rossi", "Saito", "Schmitt", "Silva", "Sorensen", "Tanaka",
	"Thorne", "Umar", "Valdez", "Verne", "Voss", "Walker", "Weiss", "Yilmaz", "Zapata", "Ziegler",
}

var companyFirst = []string{
	"Amber", "Birch", "Cobalt", "Delta", "Ember", "Falcon", "Granite", "Harbour", "Indigo", "Juniper",
	"Kestrel", "Lantern", "Meridian", "Nimbus", "Orchard", "Pinewood", "Quarry", "Riverside", "Saffron", "Tidewater",
}

var companyLast = []string{
	"Bakeries", "Cycles", "Dental Care", "Editions", "Foods", "Gardens", "Instruments", "Joinery", "Logistics", "Motors",
	"Nurseries", "Optics", "Printing", "Robotics", "Studios", "Textiles", "Travel", "Ventures", "Works", "Workshops",
}

var cities = []string{"Ashford Vale", "Brookhaven", "Clearwater Bay", "Dunmore", "Eastfield", "Fairview", "Glenrock", "Highbridge", "Kingsport", "Lakemont"}

var streets = []string{"Alder Lane", "Beacon Street", "Canal Road", "Dock Street", "Elm Avenue", "Foundry Way", "Garden Square", "Hill Street", "Island Road", "Jetty Walk"}
