/** What the agent says of itself. */
import type { AgentCard } from '@a2a-js/sdk';

/** Where each transport is reached. */
export interface AgentUrls {
  readonly jsonrpc: string;
  readonly http: string;
  /** `host:port`, as gRPC clients take it. */
  readonly grpc: string;
}

/** The version of A2A that the agent speaks, and the only one. */
export const PROTOCOL_VERSION = '1.0';

/** Describes the agent at these addresses (A2A 1.0 §4.4): the three transports, and bearer tokens. */
export function agentCard(urls: AgentUrls): AgentCard {
  const interfaces = [
    { protocolBinding: 'JSONRPC', url: urls.jsonrpc },
    { protocolBinding: 'HTTP+JSON', url: urls.http },
    { protocolBinding: 'GRPC', url: urls.grpc },
  ];
  return {
    name: 'pagecheck reference agent',
    description: 'Keeps every message as a task, to be listed, continued and cancelled; its lists keep the contract.',
    supportedInterfaces: interfaces.map((entry) => ({ ...entry, tenant: '', protocolVersion: PROTOCOL_VERSION })),
    provider: undefined,
    version: PROTOCOL_VERSION,
    capabilities: { streaming: false, pushNotifications: true, extendedAgentCard: false, extensions: [] },
    securitySchemes: {
      bearer: {
        scheme: { $case: 'httpAuthSecurityScheme', value: { description: '', scheme: 'Bearer', bearerFormat: '' } },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'keep',
        name: 'Keep',
        description: 'Keeps a message as a task.',
        tags: ['task'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}
