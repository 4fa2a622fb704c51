export * from "./a.js"
