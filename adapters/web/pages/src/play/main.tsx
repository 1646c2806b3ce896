import { render } from "preact";
import { beginBranding } from "../shared/branding";
import { beginLanguage } from "../shared/i18n";
import { beginRoutes } from "../shared/route";
import { beginTheme } from "../shared/theme";
import { beginWallets } from "../shared/wallets";
import "../shared/styles.css";
import "./play.css";
import { App } from "./app";
import { beginStore } from "./store";

beginTheme();
beginRoutes();
beginBranding();
beginWallets((role) => role === null);
beginStore();
await beginLanguage();
render(<App />, document.getElementById("page")!);
