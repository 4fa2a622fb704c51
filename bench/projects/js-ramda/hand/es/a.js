export * from "./index.js"
