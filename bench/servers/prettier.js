const { serve } = require("./whittle_server.js");
const fs = require("fs");
const folder = process.env.BENCH_TOOLS + "/npm/prettier-2.0/node_modules/prettier/";
const prettier = require(folder + "standalone");
const plugins = [require(folder + "parser-html"), require(folder + "parser-graphql")];
const [parser, message] = process.argv.slice(2);
serve((path) => {
  try {
    prettier.format(fs.readFileSync(path, "utf8"), { parser, plugins });
    return false;
  } catch (error) {
    return String(error).includes(message);
  }
});
