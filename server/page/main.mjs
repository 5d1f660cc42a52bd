document.title = `${decodeURIComponent(location.pathname.split("/").pop())} · GraphQL · Ontogate`;
