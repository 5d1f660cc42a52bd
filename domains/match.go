package domains

// MatchName finds the domain that someone means: the name itself, or the only
// one that is equal when case, spaces, '_' and '-' do not count. When there is none
// ok is false and near holds the nearest names.
func MatchName(asked string, infos []Info) (name Name, near []string, ok bool) {
	var alike []Name
	names := make([]string, 0, len(infos))
	for _, i := range infos {
		if string(i.Name) == asked {
			return i.Name, nil, true
		}
		if fold(string(i.Name)) == fold(asked) {
			alike = append(alike, i.Name)
		}
		names = append(names, string(i.Name))
	}
	if len(alike) == 1 {
		return alike[0], nil, true
	}
	return "", Nearest(asked, names, 3), false
}
