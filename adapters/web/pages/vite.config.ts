import { defineConfig } from "vite";

// One entry a page; what they share becomes chunks of its own. Names of files have the hash
// of their contents, so that browsers keep them for ever.
export default defineConfig({
  base: "./", // the pages are served below any path
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    assetsInlineLimit: 0, // the policy of the pages lets them load no data: addresses but pictures
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { play: "index.html", verify: "verify.html", admin: "admin.html" } },
  },
});
