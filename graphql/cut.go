package graphql

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
)

// piece is a definition before its text is cut out of the SDL.
type piece struct {
	Definition
	at   int // where the parser saw it, in code points
	rank int // its place among the others
}

// The ranks of definitions.
const (
	rankSchema = iota
	rankRoot
	rankTypes
	rankInputs
	rankEnums
	rankScalars
	rankDirectives
)

// cut finds the text of each definition and puts them in order. A definition begins
// with its keyword or description and goes on to where the next one begins; comments
// between two of them belong to none.
func (s *Schema) cut(src *ast.Source, doc *ast.SchemaDocument) ([]Definition, error) {
	pieces := s.pieces(doc)
	tokens, err := tokensOf(src)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	starts := make([]int, 0, len(pieces)) // indices of tokens
	for _, p := range pieces {
		starts = append(starts, begin(tokens, p))
	}
	text := newOffsets(src.Input)
	for i := range pieces {
		last := len(tokens) - 1
		if i+1 < len(pieces) {
			last = starts[i+1] - 1
		}
		if starts[i] > last {
			continue
		}
		pieces[i].Text = text.between(tokens[starts[i]].Pos.Start, tokens[last].Pos.End)
	}
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Name, b.Name))
	})
	out := make([]Definition, 0, len(pieces))
	for _, p := range pieces {
		out = append(out, p.Definition)
	}
	return out, nil
}

// pieces are all definitions of a document.
func (s *Schema) pieces(doc *ast.SchemaDocument) []piece {
	var out []piece
	add := func(d Definition, pos *ast.Position, rank int) {
		out = append(out, piece{Definition: d, at: pos.Start, rank: rank})
	}
	for _, d := range doc.Schema {
		add(Definition{Keyword: "schema", Description: d.Description}, d.Position, rankSchema)
	}
	for _, d := range doc.SchemaExtension {
		add(Definition{Keyword: extendWord}, d.Position, rankSchema)
	}
	for _, list := range []ast.DefinitionList{doc.Definitions, doc.Extensions} {
		for _, d := range list {
			rank := rankOf(d.Kind)
			if d.Name == s.Root() {
				rank = rankRoot
			}
			add(Definition{Name: d.Name, Keyword: keywords[d.Kind], Description: d.Description}, d.Position, rank)
		}
	}
	for i := len(out) - len(doc.Extensions); i < len(out); i++ {
		out[i].Keyword = extendWord
	}
	for _, d := range doc.Directives {
		add(Definition{Name: d.Name, Keyword: "directive", Description: d.Description}, d.Position, rankDirectives)
	}
	for _, d := range doc.DirectiveExtensions {
		add(Definition{Name: d.Name, Keyword: extendWord}, d.Position, rankDirectives)
	}
	return out
}

// rankOf is the place of a type among the others.
func rankOf(k ast.DefinitionKind) int {
	switch k {
	case ast.InputObject:
		return rankInputs
	case ast.Enum:
		return rankEnums
	case ast.Scalar:
		return rankScalars
	}
	return rankTypes
}

const extendWord = "extend"

// keywords maps the kind of a type to the word that its definition begins with.
var keywords = map[ast.DefinitionKind]string{
	ast.Scalar: "scalar", ast.Object: "type", ast.Interface: "interface",
	ast.Union: "union", ast.Enum: "enum", ast.InputObject: "input",
}

// begin is the token with which a definition begins. The parser saw it some tokens
// later: after the keyword, and "@" or "extend" where there is one.
func begin(tokens []lexer.Token, p piece) int {
	i, _ := slices.BinarySearchFunc(tokens, p.at, func(t lexer.Token, at int) int { return cmp.Compare(t.Pos.Start, at) })
	if i--; p.Keyword == extendWord {
		i--
	}
	if p.rank == rankDirectives {
		i--
	}
	if i > 0 && (tokens[i-1].Kind == lexer.String || tokens[i-1].Kind == lexer.BlockString) {
		i--
	}
	return min(max(i, 0), len(tokens)-1)
}

// tokensOf are the tokens of a text, without comments.
func tokensOf(src *ast.Source) ([]lexer.Token, error) {
	var out []lexer.Token
	for l := lexer.New(src); ; {
		t, err := l.ReadToken()
		switch {
		case err != nil:
			return nil, faultOf(err)
		case t.Kind == lexer.EOF:
			return out, nil
		case t.Kind != lexer.Comment:
			out = append(out, t)
		}
	}
}

// offsets finds the bytes of code points. Texts of ASCII alone need no table.
type offsets struct {
	text  string
	bytes []int // code point → byte; nil for ASCII
}

func newOffsets(text string) offsets {
	for i := range len(text) {
		if text[i] >= 0x80 {
			o := offsets{text: text}
			for at := range text {
				o.bytes = append(o.bytes, at)
			}
			o.bytes = append(o.bytes, len(text))
			return o
		}
	}
	return offsets{text: text}
}

// between is the text from one code point to another.
func (o offsets) between(from, to int) string {
	if o.bytes == nil {
		return o.text[min(from, len(o.text)):min(max(to, from), len(o.text))]
	}
	last := len(o.bytes) - 1
	return o.text[o.bytes[min(from, last)]:o.bytes[min(max(to, from), last)]]
}
