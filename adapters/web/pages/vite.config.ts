import { defineConfig } from "vite";

// One entry for each page; shared code goes into chunks. File names contain the hash of their
// contents, so that browsers may cache them permanently.
export default defineConfig({
  base: "./", // the pages are served below any path
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    assetsInlineLimit: 0, // the pages' policy allows data: URLs for pictures only
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { play: "index.html", verify: "verify.html", admin: "admin.html" } },
  },
});
