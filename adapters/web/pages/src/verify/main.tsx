import { render } from "preact";
import { beginBranding } from "../shared/branding";
import { beginLanguage, loadLanguages, t } from "../shared/i18n";
import { beginTheme } from "../shared/theme";
import "../shared/styles.css";
import "./verify.css";
import { App } from "./app";
import { beginReceiving } from "./receive";
import { beginFragment } from "./store";

beginTheme();
beginFragment();
beginBranding(() => t("verify.title"));
await beginLanguage();
render(<App />, document.getElementById("page")!);
beginReceiving();
loadLanguages().catch(() => {}); // offline, the page keeps its present language
