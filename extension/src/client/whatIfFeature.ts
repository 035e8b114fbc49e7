import type { Log } from "../core/ports";
import { nodeFiles } from "../node/files";
import { nodeUtf8 } from "../node/utf8";
import { HermesConfigs } from "./hermesConfigs";
import type { LanguageServer } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";
import type { Prompts } from "./prompts";
import { homesInput, mayScanHomes } from "./settings";
import { WhatIfViews } from "./views/whatIfViews";

export interface WhatIfFeatureParts {
  readonly server: LanguageServer;
  readonly prompts: Prompts;
  readonly log: Log;
}

export interface WhatIfFeature extends Disposable {
  readonly configs: HermesConfigs;
  readonly views: WhatIfViews;
}

/** Everything of simulations that is not part of one inspector. */
export function createWhatIf({ server, prompts, log }: WhatIfFeatureParts): WhatIfFeature {
  const lifetime = new Lifetime();
  const configs = new HermesConfigs({
    files: nodeFiles,
    utf8: nodeUtf8,
    homes: homesInput,
    mayLook: mayScanHomes,
    server,
  });
  const views = lifetime.add(new WhatIfViews({ configs, server, prompts, log }));
  return { configs, views, dispose: () => lifetime.dispose() };
}
