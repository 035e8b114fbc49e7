import type { Policy, PolicyKind } from "../model/policy";
import { POLICY_BOUNDS, POLICY_FIELDS, type PolicyField } from "./policyFields";

export const isPolicyKind = (value: unknown): value is PolicyKind =>
  typeof value === "string" && Object.hasOwn(POLICY_FIELDS, value);

/**
 * A policy from somewhere that is not believed: a new object with the members that its kind has and nothing more, or
 * undefined where one is missing, of another type, or beyond its bounds.
 */
export function parsePolicy(value: unknown): Policy | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const { kind } = given;
  if (!isPolicyKind(kind)) return undefined;
  const policy: Record<string, unknown> = { kind };
  for (const field of POLICY_FIELDS[kind]) {
    const parsed = Object.hasOwn(given, field.key) ? parseField(field, given[field.key]) : undefined;
    if (parsed === undefined) return undefined;
    policy[field.key] = parsed;
  }
  // Every member of the kind is in the table, which a test holds against the defaults.
  return policy as unknown as Policy;
}

/** Undefined = refused. */
function parseField(field: PolicyField, value: unknown): unknown {
  switch (field.type) {
    case "whole":
      if (value === null) return field.nullable ? null : undefined;
      return wholeIn(value, field.min, field.max);
    case "flag":
      return typeof value === "boolean" ? value : undefined;
    case "text":
      return typeof value === "string" && value.length <= POLICY_BOUNDS.text ? value : undefined;
    case "names":
      return isList(value) && value.every(isName) ? [...value] : undefined;
    case "thresholds":
      return parseThresholds(value);
    case "choice":
      return typeof value === "string" && field.values.includes(value) ? value : undefined;
  }
}

function wholeIn(value: unknown, min: number, max: number): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= POLICY_BOUNDS.entries;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= POLICY_BOUNDS.name;
}

function parseThresholds(value: unknown): Readonly<Record<string, number>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > POLICY_BOUNDS.entries) return undefined;
  // No prototype: a tool may have any name.
  const map = Object.create(null) as Record<string, number>;
  for (const [tool, chars] of entries) {
    const whole = wholeIn(chars, 0, POLICY_BOUNDS.whole);
    if (whole === undefined || !isName(tool)) return undefined;
    map[tool] = whole;
  }
  return map;
}
