/** Where a running agent is called: its card, read, and one of its transports, chosen. */
import type { AgentUrls } from '../wire/agent-card.ts';
import type { Transport } from '../wire/transport-error.ts';
import { UsageError, type UsageStatus } from './usage-error.ts';

/** One way to call an agent. Of `urls` only that of the transport is filled in. */
export interface AgentAddress {
  readonly transport: Transport;
  readonly urls: AgentUrls;
}

/** What is asked of the search. */
export interface AgentSearch {
  readonly bearer?: string;
  /** The transport to take; the first of the card that can be taken where absent: the agent prefers it (A2A 1.0 §8.3). */
  readonly transport?: Transport;
  /** The longest that one answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

const CARD_PATH = '/.well-known/agent-card.json';

const bindings: Readonly<Record<string, Transport>> = { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'http', GRPC: 'grpc' };

/**
 * Reads the card under `url`, or at it, and chooses a transport. Throws a `UsageError` of status 4 where nothing answers,
 * where no agent does, or where it has no transport that can be driven.
 */
export async function findAgent(url: string, search: AgentSearch): Promise<AgentAddress> {
  const base = url.replace(/\/+$/, '');
  const places = base.endsWith('.json') ? [base] : [base + CARD_PATH, url];
  let seen = '';
  for (const place of places) {
    const { status, text } = await read(place, url, search);
    if (status === 401 || status === 403) throw denied(url, status);
    const card = status < 300 ? parseCard(text) : undefined;
    if (card !== undefined) return choose(card, url, search.transport);
    seen ||= `${place} answers with status ${status}${status < 300 ? ' and no agent card' : ''}`;
  }
  throw misuse(url, `is no A2A agent (${seen})`, 'give the address under which its agent card stands');
}

/** The error for a caller that the agent does not let in. */
export function denied(url: string, status: number): UsageError {
  return misuse(
    url,
    `does not let this caller in (status ${status})`,
    'give its token by --bearer or PAGECHECK_BEARER',
  );
}

/** An error about the agent at this address. */
export function misuse(url: string, problem: string, remedy: string, status: UsageStatus = 4): UsageError {
  return new UsageError({ where: url, problem, remedy }, status);
}

async function read(
  place: string,
  url: string,
  { bearer, timeoutMs }: AgentSearch,
): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(place, {
      headers: { Accept: 'application/json', ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    throw misuse(url, `can't be reached (${reasonOf(error)})`, 'start the agent, or mend the address');
  }
}

function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return cause?.code ?? cause?.message ?? message;
}

/** What of a card is read. Other fields are the agent's own business. */
interface Card {
  readonly supportedInterfaces: readonly Partial<
    Record<'url' | 'protocolBinding' | 'protocolVersion' | 'tenant', unknown>
  >[];
}

/** Takes a card of any version, told by its name; one of A2A 0.3 has no interfaces. */
function parseCard(text: string): Card | undefined {
  try {
    const card = JSON.parse(text) as Partial<Card> & { readonly name?: unknown };
    if (typeof card.name !== 'string') return undefined;
    const { supportedInterfaces } = card;
    return { supportedInterfaces: Array.isArray(supportedInterfaces) ? supportedInterfaces.filter(isObject) : [] };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function choose({ supportedInterfaces }: Card, url: string, wanted: Transport | undefined): AgentAddress {
  for (const { protocolBinding, protocolVersion, tenant, url: address } of supportedInterfaces) {
    const transport = bindings[String(protocolBinding)];
    const isOurs = /^1(\.|$)/.test(String(protocolVersion)) && (tenant ?? '') === '';
    if (transport === undefined || !isOurs || typeof address !== 'string') continue;
    if (wanted !== undefined && wanted !== transport) continue;
    if (transport !== 'grpc' && !/^https?:\/\/./.test(address)) continue;
    return { transport, urls: { jsonrpc: '', http: '', grpc: '', [transport]: address } };
  }
  const offered = supportedInterfaces.map(({ protocolBinding, protocolVersion, tenant }) =>
    [protocolBinding, protocolVersion, ...((tenant ?? '') === '' ? [] : ['for a tenant'])].join(' '),
  );
  const needed = wanted === undefined ? 'JSONRPC, HTTP+JSON or GRPC' : nameOf(wanted);
  throw misuse(
    url,
    `has no transport that can be driven (its card offers ${offered.join(', ') || 'none of A2A 1.0'})`,
    `it needs ${needed} of version 1.0, without a tenant`,
  );
}

function nameOf(transport: Transport): string {
  return Object.entries(bindings).find(([, one]) => one === transport)?.[0] ?? transport;
}
