package graphql

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
)

// piece is a definition before its text is cut out of the SDL.
type piece struct {
	Definition
	at   int // where the parser saw it, in code points
	from int // where it begins
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
// between two of them belong to none. The text may have millions of tokens: they are
// passed once and not kept.
func (s *Schema) cut(src *ast.Source, doc *ast.SchemaDocument) ([]Definition, error) {
	pieces := s.pieces(doc)
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	text, tokens := offsets{text: src.Input}, tail{lexer: lexer.New(src)}
	for i, p := range pieces {
		if err := tokens.reach(p.at); err != nil {
			return nil, err
		}
		back := tokens.begin(p)
		if i > 0 {
			pieces[i-1].Text = text.between(pieces[i-1].from, tokens.recent(back+1).end)
		}
		pieces[i].from = tokens.recent(back).start
	}
	if err := tokens.reach(math.MaxInt); err != nil {
		return nil, err
	}
	if last := len(pieces) - 1; last >= 0 {
		pieces[last].Text = text.between(pieces[last].from, tokens.recent(0).end)
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

// mark is where a token is, in code points.
type mark struct {
	kind       lexer.Type
	start, end int
}

// tail passes the tokens of a text, without comments, and knows the last of them: more
// than a definition has before the place at which the parser saw it.
type tail struct {
	lexer lexer.Lexer
	marks [8]mark
	n     int // tokens that were passed
	ended bool
}

// recent is the token that was passed so many before the last one; nothing before the first.
func (t *tail) recent(back int) mark {
	if back >= t.n {
		return mark{}
	}
	return t.marks[(t.n-1-back)%len(t.marks)]
}

// reach passes tokens until the last one begins at a place or behind it, or all are passed.
func (t *tail) reach(at int) error {
	for !t.ended && (t.n == 0 || t.recent(0).start < at) {
		token, err := t.lexer.ReadToken()
		switch {
		case err != nil:
			return faultOf(err)
		case token.Kind == lexer.EOF:
			t.ended = true
		case token.Kind != lexer.Comment:
			t.marks[t.n%len(t.marks)] = mark{kind: token.Kind, start: token.Pos.Start, end: token.Pos.End}
			t.n++
		}
	}
	return nil
}

// begin is how many tokens before the last one, which the parser saw, a definition
// begins: there are the keyword, "@" or "extend" where there is one, and a description.
func (t *tail) begin(p piece) int {
	back := 0
	if t.recent(0).start >= p.at {
		back++
	}
	if p.Keyword == extendWord {
		back++
	}
	if p.rank == rankDirectives {
		back++
	}
	if k := t.recent(back + 1).kind; k == lexer.String || k == lexer.BlockString {
		back++
	}
	return max(min(back, t.n-1), 0)
}

// offsets finds the bytes of code points, which are asked for in ascending order.
type offsets struct {
	text         string
	point, bytes int // where it is
}

// byteOf is the byte at which a code point begins; where earlier ones were asked for
// before, that of the last of these.
func (o *offsets) byteOf(point int) int {
	for o.point < point && o.bytes < len(o.text) {
		_, n := utf8.DecodeRuneInString(o.text[o.bytes:])
		o.bytes += n
		o.point++
	}
	return o.bytes
}

// between is the text from one code point to another.
func (o *offsets) between(from, to int) string {
	begin := o.byteOf(from)
	return o.text[begin:o.byteOf(to)]
}
