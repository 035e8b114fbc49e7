import type { Log, SecretFinder } from "../core/ports";
import { tellError } from "../core/util/tellError";
import { nodeFiles } from "../node/files";
import { DROPPED, TranscriptSimulation } from "../node/simulateInWorker";
import { nodeUtf8 } from "../node/utf8";
import type { SavedByThread } from "../protocol/simulation";
import { HermesConfigs } from "./hermesConfigs";
import type { LanguageServer } from "./languageServer";
import { type CancelSource, type Disposable, Lifetime } from "./lifetime";
import type { Prompts } from "./prompts";
import { ESTIMATE_LIMITS, type EstimatedFile, SessionEstimate } from "./sessionEstimate";
import { homesInput, mayScanHomes } from "./settings";
import { ThresholdLens } from "./thresholdLens";
import type { SecretDocuments } from "./views/secretDocuments";
import { WhatIfApply } from "./views/whatIfApply";
import { WhatIfViews } from "./views/whatIfViews";

export interface WhatIfFeatureParts {
  readonly server: LanguageServer;
  readonly prompts: Prompts;
  readonly log: Log;
  readonly secrets: SecretFinder;
  readonly secretDocuments: SecretDocuments;
}

export interface WhatIfFeature extends Disposable {
  readonly configs: HermesConfigs;
  readonly views: WhatIfViews;
  /** The lens above the threshold of a config. @param sessions Hermes sessions on this machine, newest first */
  lens(sessions: () => Promise<readonly EstimatedFile[]>): ThresholdLens;
}

/** Everything of simulations that is not part of one inspector. */
export function createWhatIf({ server, prompts, log, secrets, secretDocuments }: WhatIfFeatureParts): WhatIfFeature {
  const lifetime = new Lifetime();
  const configs = new HermesConfigs({
    files: nodeFiles,
    utf8: nodeUtf8,
    homes: homesInput,
    mayLook: mayScanHomes,
    server,
  });
  const apply = new WhatIfApply({ configs, server, prompts, log });
  const views = lifetime.add(
    new WhatIfViews(apply, {
      secrets,
      secretDocuments,
      failed: (error) => log.error("Looking for secrets failed", error),
    }),
  );
  return {
    configs,
    views,
    lens: (files) => {
      const estimate = lifetime.add(
        new SessionEstimate({
          files,
          curves: (path, cancel) => curvesOf(path, cancel, log),
          now: () => Date.now(),
          after: (ms, run) => {
            const timer = setTimeout(run, ms);
            return { dispose: () => clearTimeout(timer) };
          },
          log,
        }),
      );
      return lifetime.add(new ThresholdLens({ estimate, server, apply, prompts }));
    },
    dispose: () => lifetime.dispose(),
  };
}

/** Read in a thread of its own, which is ended afterwards: the next file has nothing to do with this one. */
async function curvesOf(path: string, cancel: CancelSource, log: Log): Promise<readonly SavedByThread[] | undefined> {
  const simulation = new TranscriptSimulation(path);
  try {
    const answer = await simulation.ask("saved", { threads: ESTIMATE_LIMITS.sessions }, undefined, cancel);
    return answer === DROPPED || !answer.ok ? undefined : answer.value;
  } catch (error) {
    log.warn(`${path} does not count in the estimate: ${tellError(error).message}`);
    return undefined;
  } finally {
    await simulation.dispose();
  }
}
