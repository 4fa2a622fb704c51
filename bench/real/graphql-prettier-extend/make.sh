npm_tool prettier 2.0.0
head -c 40000 "$(package npm_package @octokit/graphql-schema 10.0.0)/schema.graphql" >all
# Whole definitions only.
python3 - >schema.graphql <<'END'
text = open("all").read()
cut = text[:text.rindex("\n}\n") + 3]
middle = cut.index("\n}\n", len(cut) // 2) + 3
print(cut[:middle] + "\nextend schema @link(url: \"https://example.org\") {\n  subscription: Updates\n}\n" + cut[middle:])
END
