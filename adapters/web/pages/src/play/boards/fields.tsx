// Inputs from a JSON Schema, for games' configs and actions. A list of numbers or words is typed
// with spaces between; any other value is typed as JSON.

import { useId, useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { parse, stringify } from "../../shared/json";
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
  const id = useId();
  const label = schema.title ?? name;
  if (schema.enum !== undefined && schema.enum.length <= FEW) {
    return <Choice label={label} options={schema.enum} value={value as string} locked={locked} name={String} onChange={onChange} />;
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {schema.enum !== undefined ? (
        <select id={id} disabled={locked} onChange={(e) => onChange(schema.enum?.[Number(e.currentTarget.value)])}>
          {schema.enum.map((each, i) => <option key={each} value={i} selected={each === value}>{each}</option>)}
        </select>
      ) : schema.type === "boolean" ? (
        <input id={id} type="checkbox" checked={value === true} disabled={locked} onChange={(e) => onChange(e.currentTarget.checked)} />
      ) : schema.type === "integer" || schema.type === "number" ? (
        <input id={id} type="number" value={value as number} min={schema.minimum} max={schema.maximum} step={schema.multipleOf ?? "any"} disabled={locked}
          onChange={(e) => onChange(e.currentTarget.value === "" ? undefined : Number(e.currentTarget.value))} />
      ) : (
        <Text id={id} schema={schema} value={value} locked={locked} onChange={onChange} />
      )}
      {schema.description !== undefined && <small class="muted">{schema.description}</small>}
    </div>
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

function Text({ id, schema, value, locked, onChange }: Omit<FieldProps, "name"> & { id: string }) {
  const plain = Array.isArray(value) && value.every((each) => typeof each !== "object");
  const [wrong, setWrong] = useState(false);
  return (
    <>
      <input id={id} autoComplete="off" disabled={locked} aria-invalid={wrong}
        value={value === undefined ? "" : plain ? (value as unknown[]).join(" ") : typeof value === "string" ? value : stringify(value)}
        onChange={(e) => {
          try {
            onChange(said(e.currentTarget.value, schema));
            setWrong(false);
          } catch {
            setWrong(true);
          }
        }} />
      {wrong && <small class="loss">{t("form.wrong")}</small>}
    </>
  );
}
