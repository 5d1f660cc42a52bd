package rdf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// jsonldFeatures are what JSON-LD 1.1 has, with what it says in TriG.
var jsonldFeatures = []struct{ name, in, want string }{
	{"nothing", ``, ``},
	{"white space", " \n", ``},
	{"an empty object", `{}`, ``},
	{"an empty array", `[]`, ``},
	{"a context alone", `{"@context": {"@vocab": "http://e/"}}`, ``},
	{"an array, with null", `[{"@id": "http://e/a", "http://e/p": 1}, null, {"@id": "http://e/b", "http://e/p": 2}]`, `:a :p 1 . :b :p 2 .`},
	{"byte-order mark", "\uFEFF" + `{"@id": "http://e/a", "http://e/p": "é"}`, `:a :p "é" .`},
	{"the later of two members", `{"@id": "http://e/a", "http://e/p": 1, "http://e/p": 2}`, `:a :p 2 .`},
	{"terms", `{"@context": {"name": "http://e/name", "knows": {"@id": "http://e/knows", "@type": "@id"}, "id": "@id"}, "id": "http://e/a", "name": "A", "knows": "http://e/b", "other": 1}`, `:a :name "A" ; :knows :b .`},
	{"prefixes", `{"@context": {"e": "http://e/"}, "@id": "e:a", "@type": "e:C", "e:p": {"@id": "e:b"}}`, `:a a :C ; :p :b .`},
	{"@prefix", `{"@context": {"e": {"@id": "http://e/x", "@prefix": true}}, "@id": "e:a", "e:p": 1}`, `:xa :xp 1 .`},
	{"@vocab", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "@type": "C", "p": true}`, `:a a :C ; :p true .`},
	{"relative @vocab", `{"@context": {"@base": "http://e/", "@vocab": "#"}, "@id": "", "p": 1}`, `<http://e/> <http://e/#p> 1 .`},
	{"a context of several", `{"@context": [{"@vocab": "http://x/"}, {"@vocab": "http://e/"}, null, {"p": "http://e/p"}], "@id": "http://e/a", "p": 1, "q": 2}`, `:a :p 1 .`},
	{"an inner context", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": {"@context": {"q": "http://e/other"}, "@id": "http://e/b", "q": 1}}`, `:a :p :b . :b :other 1 .`},
	{"a property-scoped context", `{"@context": {"@vocab": "http://x/", "p": {"@id": "http://e/p", "@context": {"q": "http://e/q"}}}, "@id": "http://e/a", "p": {"@id": "http://e/b", "q": 1}}`, `:a :p :b . :b :q 1 .`},
	{"a type-scoped context", `{"@context": {"@vocab": "http://x/", "C": {"@id": "http://e/C", "@context": {"q": "http://e/q"}}}, "@id": "http://e/a", "@type": "C", "q": {"@id": "http://e/b", "q": 1}}`, `:a a :C ; :q :b . :b <http://x/q> 1 .`},
	{"a type-scoped context that propagates", `{"@context": {"@vocab": "http://x/", "C": {"@id": "http://e/C", "@context": {"@propagate": true, "q": "http://e/q"}}}, "@id": "http://e/a", "@type": "C", "q": {"@id": "http://e/b", "q": 1}}`, `:a a :C ; :q :b . :b :q 1 .`},
	{"@protected", `{"@context": {"@version": 1.1, "p": {"@id": "http://e/p", "@protected": true}}, "@id": "http://e/a", "p": 1}`, `:a :p 1 .`},
	{"typed values", `{"@context": {"@vocab": "http://e/", "d": {"@type": "http://www.w3.org/2001/XMLSchema#date"}}, "@id": "http://e/a", "d": "2026-12-01", "v": {"@value": "1.0", "@type": "http://www.w3.org/2001/XMLSchema#decimal"}}`, `:a :d "2026-12-01"^^xsd:date ; :v 1.0 .`},
	{"numbers", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": [1, 1.0, -0, 10e2, 1.5, 5e-7, 1e21, 12345678901234567890, 0.1]}`,
		`:a :p 1, 0, 1000, "1.5E0"^^xsd:double, "5.0E-7"^^xsd:double, "1.0E21"^^xsd:double, 12345678901234567890, "1.0E-1"^^xsd:double .`},
	{"numbers with a datatype", `{"@context": {"@vocab": "http://e/", "d": {"@type": "http://www.w3.org/2001/XMLSchema#double"}, "i": {"@type": "http://e/int"}}, "@id": "http://e/a", "d": 1, "i": 1}`, `:a :d "1.0E0"^^xsd:double ; :i "1"^^:int .`},
	{"null", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": [null, 1], "q": null, "r": {"@value": null}}`, `:a :p 1 .`},
	{"languages", `{"@context": {"@vocab": "http://e/", "@language": "de-AT", "q": {"@language": "en-GB"}, "r": {"@language": null}}, "@id": "http://e/a", "p": "x", "q": "y", "r": "z", "s": {"@value": "w", "@language": "zh-Hant"}}`, `:a :p "x"@de-AT ; :q "y"@en-GB ; :r "z" ; :s "w"@zh-Hant .`},
	{"a language map", `{"@context": {"p": {"@id": "http://e/p", "@container": "@language"}}, "@id": "http://e/a", "p": {"en-US": ["x", "y"], "de": "z", "@none": "n"}}`, `:a :p "x"@en-US, "y"@en-US, "z"@de, "n" .`},
	{"@direction", `{"@context": {"@vocab": "http://e/", "@language": "ar", "@direction": "rtl"}, "@id": "http://e/a", "p": "x", "q": {"@value": "y", "@language": "en", "@direction": "ltr"}}`, `:a :p "x"@ar--rtl ; :q "y"@en--ltr .`},
	{"@direction without language", `{"http://e/p": {"@value": "y", "@direction": "ltr"}}`, `[] :p "y"^^<https://www.w3.org/ns/i18n#_ltr> .`},
	{"@direction of a language map", `{"@context": {"p": {"@id": "http://e/p", "@container": "@language", "@direction": "rtl"}}, "p": {"ar": "x"}}`, `[] :p "x"@ar--rtl .`},
	{"a list", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": {"@list": [1, "x", {"@id": "http://e/b", "q": 2}, {"@list": [3]}, {"@list": []}]}}`, `:a :p (1 "x" :b (3) ()) . :b :q 2 .`},
	{"a list of nothing", `{"@id": "http://e/a", "http://e/p": [{"@list": []}, {"@list": null}]}`, `:a :p () .`},
	{"a list container", `{"@context": {"p": {"@id": "http://e/p", "@container": "@list", "@type": "@id"}}, "@id": "http://e/a", "p": ["http://e/b", "http://e/c"]}`, `:a :p (:b :c) .`},
	{"two equal lists", `{"@id": "http://e/a", "http://e/p": [{"@list": [1]}, {"@list": [1]}]}`, `:a :p (1), (1) .`},
	{"@set", `{"@context": {"@vocab": "http://e/", "q": {"@container": "@set"}}, "@id": "http://e/a", "p": {"@set": [1, 2]}, "q": [3]}`, `:a :p 1, 2 ; :q 3 .`},
	{"an index map", `{"@context": {"p": {"@id": "http://e/p", "@container": "@index"}}, "@id": "http://e/a", "p": {"one": 1, "two": [2, 3]}}`, `:a :p 1, 2, 3 .`},
	{"a property index map", `{"@context": {"@vocab": "http://e/", "p": {"@container": "@index", "@index": "key"}}, "@id": "http://e/a", "p": {"one": {"@id": "http://e/b"}}}`, `:a :p :b . :b :key "one" .`},
	{"an id map", `{"@context": {"@vocab": "http://e/", "p": {"@container": "@id"}}, "@id": "http://e/a", "p": {"http://e/b": {"q": 1}}}`, `:a :p :b . :b :q 1 .`},
	{"a type map", `{"@context": {"@vocab": "http://e/", "p": {"@container": "@type"}}, "@id": "http://e/a", "p": {"C": {"@id": "http://e/b"}}}`, `:a :p :b . :b a :C .`},
	{"a graph container", `{"@context": {"@vocab": "http://e/", "p": {"@container": ["@graph", "@id"]}}, "@id": "http://e/a", "p": {"http://e/g": {"@id": "http://e/b", "q": 1}}}`, `:a :p :g . :g { :b :q 1 }`},
	{"@reverse", `{"@context": {"@vocab": "http://e/", "r": {"@reverse": "http://e/q"}}, "@id": "http://e/a", "@reverse": {"p": [{"@id": "http://e/b"}, {"@id": "http://e/c", "x": 1}]}, "r": {"@id": "http://e/d"}}`, `:b :p :a . :c :p :a ; :x 1 . :d :q :a .`},
	{"@graph", `{"@context": {"@vocab": "http://e/"}, "@graph": [{"@id": "http://e/a", "p": 1}, {"@id": "http://e/g", "q": 2, "@graph": {"@id": "http://e/b", "p": {"@id": "_:x"}}}, {"@id": "_:h", "@graph": [{"@id": "_:x", "p": 3}]}]}`, `:a :p 1 . :g :q 2 . :g { :b :p _:x } _:h { _:x :p 3 }`},
	{"@graph beside properties", `{"@context": {"@vocab": "http://e/"}, "q": 2, "@graph": [{"@id": "http://e/b", "p": 1}]}`, `_:g :q 2 . _:g { :b :p 1 }`},
	{"@included", `{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": 1, "@included": [{"@id": "http://e/b", "p": 2}]}`, `:a :p 1 . :b :p 2 .`},
	{"@nest", `{"@context": {"@vocab": "http://e/", "labels": "@nest"}, "@id": "http://e/a", "labels": {"p": 1, "q": 2}}`, `:a :p 1 ; :q 2 .`},
	{"@json", `{"@context": {"@vocab": "http://e/", "p": {"@type": "@json"}}, "@id": "http://e/a", "p": {"b": [1.0, 1e30, 0.0000001, null, true], "a": "é\u000a\u0001\"", "@language": "en-GB", "\ud83d\ude00": [], "\ufb33": {}}}`,
		`:a :p """{"@language":"en-GB","a":"é\\n\\u0001\\"","b":[1,1e+30,1e-7,null,true],"😀":[],"\uFB33":{}}"""^^rdf:JSON .`},
	{"@json by type", `{"http://e/p": [{"@value": null, "@type": "@json"}, {"@value": [], "@type": "@json"}, {"@value": "x", "@type": "@json"}, {"@value": 2, "@type": "@json"}]}`, `[] :p "null"^^rdf:JSON, "[]"^^rdf:JSON, "\"x\""^^rdf:JSON, "2"^^rdf:JSON .`},
	{"relative IRIs keep their letters", `{"@context": {"@base": "http://e/x/y", "@vocab": "http://e/"}, "@id": "../ä%20b", "@type": "C", "p": [{"@id": "#f"}, {"@id": ""}, {"@id": "//f//g"}]}`, `<http://e/ä%20b> a :C ; :p <http://e/x/y#f>, <http://e/x/y>, <http://f//g> .`},
	{"@base on @base", `{"@context": [{"@base": "http://e/x/"}, {"@base": "y/"}], "@id": "z", "http://e/p": 1}`, `<http://e/x/y/z> :p 1 .`},
	{"an inner @base", `{"@id": "http://e/a", "http://e/p": {"@context": {"@base": "http://e/x/"}, "@id": "b"}}`, `:a :p <http://e/x/b> .`},
	{"blank nodes", `{"@context": {"@vocab": "http://e/"}, "@id": "_:g1", "p": [{"@id": "_:g_1"}, {"q": 1}, {"@id": "_:not a label", "q": 2}, {"@id": "_:not a label", "r": 2}]}`, `_:a :p _:b, [:q 1], [:q 2 ; :r 2] .`},
	{"@type of a blank node", `{"@id": "http://e/a", "@type": ["_:c", "http://e/C"]}`, `:a a _:c, :C .`},
	{"long IRIs and ports", `{"@id": "http://localhost:8080/a", "http://e/p": {"@id": "http://e/` + strings.Repeat("x", 3000) + `"}}`, `<http://localhost:8080/a> :p <http://e/` + strings.Repeat("x", 3000) + `> .`},
	{"IRIs of any scheme", `{"@id": "urn:x:1", "mailto:a": [{"@id": "mailto:a@e"}, {"@id": "tag:e,2026:x"}, {"@id": "ex:100%"}]}`, `<urn:x:1> <mailto:a> <mailto:a@e>, <tag:e,2026:x>, <ex:100%> .`},
}

// TestJSONLDFeatures reads documents, and compares with TriG.
func TestJSONLDFeatures(t *testing.T) {
	for _, c := range jsonldFeatures {
		t.Run(c.name, func(t *testing.T) {
			got := rdftest.ReadString(t, c.in, rdf.JSONLD, rdf.Options{})
			want := rdftest.ReadString(t, "@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"+c.want, rdf.TriG, rdf.Options{})
			if diff := rdftest.Diff(want, got); diff != "" {
				t.Errorf("another graph (-want +got):\n%s", diff)
			}
		})
	}
}

// The order of quads, and the labels of blank nodes, are the same each time.
func TestJSONLDOrder(t *testing.T) {
	const in = `{"@context": {"@vocab": "http://e/", "r": {"@reverse": "back"}}, "z": {"y": 1}, "b": [{"@list": [2, {}]}, {"x": {}}], "r": [{}, {"@id": "_:g2"}],
		"@graph": [{"a": {"k": "v"}, "c": [{}, {}]}]}`
	want := rdftest.ReadString(t, in, rdf.JSONLD, rdf.Options{BlankPrefix: "f1_"})
	for range 20 {
		got := rdftest.ReadString(t, in, rdf.JSONLD, rdf.Options{BlankPrefix: "f1_"})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("read again it is (-want +got):\n%s", diff)
		}
	}
	for _, q := range want {
		if q.Subject.Kind == rdf.Blank && !strings.HasPrefix(q.Subject.Value, "f1_g") {
			t.Errorf("the label %s does not begin with the prefix", q.Subject)
		}
	}
}

// Prefixes of the context are told, in order, with those of context documents.
func TestJSONLDPrefixes(t *testing.T) {
	const in = `{"@context": ["http://e/context", {"ex": "http://e/#", "q": "http://e/?", "plain": "http://e/x", "forced": {"@id": "http://e/y", "@prefix": true},
		"not": {"@id": "http://e/z/", "@prefix": false}, "a": "ex:a/", "id": "@id", "gone": null, "name": {"@id": "ex:name", "@type": "@id"}}], "ex:p": 1}`
	var got []rdf.Prefix
	rdftest.ReadString(t, in, rdf.JSONLD, rdf.Options{
		Context: func(string) ([]byte, error) { return []byte(`{"@context": {"doc": "http://doc/"}}`), nil },
		Prefix:  func(p rdf.Prefix) { got = append(got, p) },
	})
	want := []rdf.Prefix{{Name: "a", IRI: "http://e/#a/"}, {Name: "doc", IRI: "http://doc/"}, {Name: "ex", IRI: "http://e/#"}, {Name: "forced", IRI: "http://e/y"}, {Name: "q", IRI: "http://e/?"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prefixes (-want +got):\n%s", diff)
	}
}
