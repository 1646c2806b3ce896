// Inputs from a JSON Schema, for games' configs and actions. A list of numbers or words is typed
// with spaces between; any other value is typed as JSON.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Input, Select } from "../../shared/fields";
import { t } from "../../shared/i18n";
import { parse, stringify } from "@casino-service/client";
import { Choice } from "../frame";
import type { Values } from "../table";

export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** The defaults of a schema; fields without one are left out. */
export function beginning(schema: Schema): Values {
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.flatMap(([name, field]) => {
    const first = field.default ?? (schema.required?.includes(name) ? (field.enum?.[0] ?? field.minimum ?? (field.type === "array" ? [] : undefined)) : undefined);
    return first === undefined ? [] : [[name, first]];
  }));
}

interface Props {
  schema: Schema;
  values: Values;
  onChange: (values: Values) => void;
  locked?: boolean;
}

export function Fields({ schema, values, onChange, locked }: Props) {
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <Field key={name} name={name} schema={field} value={values[name]} locked={locked === true} onChange={(value) => {
          const { [name]: _, ...rest } = values;
          onChange(value === undefined ? rest : { ...values, [name]: value });
        }} />
      ))}
    </>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  locked: boolean;
  onChange: (value: unknown) => void;
}

const FEW = 6; // words that fit side by side

function Field({ name, schema, value, locked, onChange }: FieldProps) {
  const label = schema.title ?? name;
  const note = schema.description !== undefined && <small class="muted">{schema.description}</small>;
  if (schema.enum !== undefined) {
    const choice = { label, value: value as string, onChange };
    if (schema.enum.length <= FEW) return <Choice {...choice} options={schema.enum} locked={locked} name={String} />;
    return <Select<string | number> {...choice} options={schema.enum.map((each) => [each, String(each)])} disabled={locked}>{note}</Select>;
  }
  if (schema.type === "boolean") return <Input label={label} type="checkbox" checked={value === true} disabled={locked} onChange={(e) => onChange(e.currentTarget.checked)}>{note}</Input>;
  if (schema.type !== "integer" && schema.type !== "number") return <Text label={label} schema={schema} value={value} locked={locked} onChange={onChange}>{note}</Text>;
  return (
    <Input label={label} type="number" value={value as number} min={schema.minimum} max={schema.maximum} step={schema.multipleOf ?? "any"} disabled={locked}
      onChange={(e) => onChange(e.currentTarget.value === "" ? undefined : Number(e.currentTarget.value))}>{note}</Input>
  );
}

function number(text: string): number {
  const read = Number(text);
  if (!Number.isFinite(read)) throw new SyntaxError(`${text} is no number`);
  return read;
}

/** The value of a text, or an error. */
function said(text: string, schema: Schema): unknown {
  if (text.trim() === "" && schema.type !== "string") return undefined;
  if (schema.type === "string") return text;
  const item = schema.items?.type;
  if (schema.type === "array" && (item === "integer" || item === "number")) return text.trim().split(/[\s,;]+/).map(number);
  if (schema.type === "array" && item === "string") return text.trim().split(/[\s,;]+/);
  return parse(text);
}

function Text({ label, schema, value, locked, onChange, children }: Omit<FieldProps, "name"> & { label: string; children: ComponentChildren }) {
  const plain = Array.isArray(value) && value.every((each) => typeof each !== "object");
  const [wrong, setWrong] = useState(false);
  const read = (text: string) => {
    try {
      onChange(said(text, schema));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Input label={label} disabled={locked} aria-invalid={wrong} onChange={(e) => read(e.currentTarget.value)}
      value={value === undefined ? "" : plain ? (value as unknown[]).join(" ") : typeof value === "string" ? value : stringify(value)}>
      {wrong && <small class="loss">{t("form.wrong")}</small>}
      {children}
    </Input>
  );
}
