package main

const hrYAML = `# An ontology without facts: only describe_ontology can be used on it.
name: hr_analytics
description: Employees, positions, skills and absences (ontology only)
base: https://ontobricks.com/hr/
languages: [en, fr]
prefixes: {"": "https://ontobricks.com/hr#"}
`

func writeHRAnalytics(o output, _ world) error {
	if err := o.text("hr_analytics/domain.yaml", hrYAML); err != nil {
		return err
	}
	return o.ontology("hr_analytics/ontology.ttl", hrSchema)
}

// hrSchema is the ontology of hr_analytics.
var hrSchema = &schema{
	iri:     "https://ontobricks.com/hr",
	title:   "Human resources analytics",
	comment: "The people who work for the company, what they do and what they can do.",
	version: "1",
	ns:      "https://ontobricks.com/hr#",
	base:    "https://ontobricks.com/hr/",
	classes: []class{
		{name: "Person", en: "Person", fr: "Personne", comment: "A human being."},
		{name: "Employee", super: "Person", en: "Employee", fr: "Salarié", comment: "A person with a contract of employment.",
			bounds: []bound{{"employeeNumber", "cardinality", 1}, {"holdsPosition", "minCardinality", 1}, {"reportsTo", "maxCardinality", 1}}},
		{name: "Manager", super: "Employee", en: "Manager", fr: "Responsable", comment: "An employee whom others report to."},
		{name: "Contractor", super: "Person", en: "Contractor", fr: "Prestataire", comment: "A person who works for the company without being employed."},
		{name: "OrganisationUnit", en: "Organisation unit", fr: "Unité", comment: "A part of the company."},
		{name: "Department", super: "OrganisationUnit", en: "Department", fr: "Département", comment: "A unit with a budget of its own.", bounds: []bound{{"ledBy", "cardinality", 1}}},
		{name: "Team", super: "OrganisationUnit", en: "Team", fr: "Équipe", comment: "A unit inside a department.", bounds: []bound{{"partOf", "cardinality", 1}}},
		{name: "Position", en: "Position", fr: "Poste", comment: "A job that exists whether or not someone holds it."},
		{name: "Skill", en: "Skill", fr: "Compétence", comment: "Something a person can do.", notes: "Ce qu'une personne sait faire."},
		{name: "Course", en: "Course", fr: "Formation", comment: "Training that conveys a skill."},
		{name: "Absence", en: "Absence", fr: "Absence", comment: "Days on which an employee does not work."},
		{name: "SickLeave", super: "Absence", en: "Sick leave", fr: "Arrêt maladie", comment: "Absence because of illness."},
		{name: "Holiday", super: "Absence", en: "Holiday", fr: "Congé", comment: "Paid absence that the employee chose."},
		{name: "Review", en: "Performance review", fr: "Entretien annuel", comment: "Yearly talk about the work done."},
	},
	props: []property{
		{name: "employeeNumber", domain: "Employee", rng: "xsd:string", en: "employeenumber", fr: "matricule", comment: "Number on the pay slip.", traits: functional | inverseFunctional},
		{name: "firstName", domain: "Person", rng: "xsd:string", en: "firstname", fr: "prénom", comment: "Given name.", traits: functional},
		{name: "lastName", domain: "Person", rng: "xsd:string", en: "lastname", fr: "nom", comment: "Family name.", traits: functional},
		{name: "hiredOn", domain: "Employee", rng: "xsd:date", en: "hiredon", fr: "date d'embauche", comment: "First working day.", traits: functional},
		{name: "leftOn", domain: "Employee", rng: "xsd:date", en: "lefton", fr: "date de départ", comment: "Last working day.", traits: functional},
		{name: "workingHours", domain: "Employee", rng: "xsd:decimal", en: "workinghours", fr: "temps de travail", comment: "Hours a week.", traits: functional},
		{name: "salaryBand", domain: "Position", rng: "xsd:string", en: "salaryband", comment: "Band from A to F.", traits: functional},
		{name: "jobGrade", domain: "Position", rng: "xsd:integer", en: "jobgrade", comment: "Former grading from 1 to 20. Use salaryBand.", traits: deprecated},
		{name: "positionTitle", domain: "Position", rng: "xsd:string", en: "positiontitle", fr: "intitulé du poste", comment: "What the job is called.", traits: functional},
		{name: "headcountBudget", domain: "Department", rng: "xsd:integer", en: "headcountbudget", comment: "People that the department may employ.", traits: functional},
		{name: "skillLevel", domain: "Skill", rng: "xsd:integer", en: "skilllevel", comment: "From 1, has heard of it, to 5, teaches it."},
		{name: "firstDay", domain: "Absence", rng: "xsd:date", en: "firstday", comment: "First day away.", traits: functional},
		{name: "lastDay", domain: "Absence", rng: "xsd:date", en: "lastday", comment: "Last day away.", traits: functional},
		{name: "reviewScore", domain: "Review", rng: "xsd:integer", en: "reviewscore", comment: "From 1 to 5.", traits: functional},
		{name: "reviewedOn", domain: "Review", rng: "xsd:date", en: "reviewedon", comment: "Day of the talk.", traits: functional},
		{name: "reportsTo", domain: "Employee", rng: "Manager", en: "reportsto", fr: "rend compte à", comment: "Whom the employee reports to.", inverse: "manages", traits: functional},
		{name: "manages", domain: "Manager", rng: "Employee", en: "manages", fr: "encadre", comment: "An employee who reports to the manager.", inverse: "reportsTo"},
		{name: "worksIn", domain: "Employee", rng: "OrganisationUnit", en: "worksin", fr: "travaille dans", comment: "The unit of the employee.", inverse: "hasMember"},
		{name: "hasMember", domain: "OrganisationUnit", rng: "Employee", en: "hasmember", comment: "An employee of the unit.", inverse: "worksIn"},
		{name: "partOf", domain: "OrganisationUnit", rng: "OrganisationUnit", en: "partof", fr: "fait partie de", comment: "The unit above.", traits: functional},
		{name: "ledBy", domain: "OrganisationUnit", rng: "Manager", en: "ledby", fr: "dirigé par", comment: "Who leads the unit.", traits: functional},
		{name: "holdsPosition", domain: "Employee", rng: "Position", en: "holdsposition", fr: "occupe le poste", comment: "A position of the employee."},
		{name: "hasSkill", domain: "Person", rng: "Skill", en: "hasskill", fr: "maîtrise", comment: "A skill of the person."},
		{name: "requiresSkill", domain: "Position", rng: "Skill", en: "requiresskill", comment: "A skill that the position asks for."},
		{name: "conveysSkill", domain: "Course", rng: "Skill", en: "conveysskill", comment: "A skill that the course teaches."},
		{name: "attended", domain: "Employee", rng: "Course", en: "attended", comment: "A course that the employee took."},
		{name: "hasAbsence", domain: "Employee", rng: "Absence", en: "hasabsence", comment: "An absence of the employee."},
		{name: "hasReview", domain: "Employee", rng: "Review", en: "hasreview", comment: "A review of the employee's work."},
		{name: "reviewedBy", domain: "Review", rng: "Manager", en: "reviewedby", comment: "The manager who held the talk.", traits: functional},
	},
}
