/** The official SDK's own client for a running agent, on a transport of one's choice. */
import {
  type BeforeArgs,
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import type { Transport } from './transport-error.ts';

const factories = {
  jsonrpc: () => new JsonRpcTransportFactory(),
  http: () => new RestTransportFactory(),
  grpc: () => new GrpcTransportFactory(),
};

/** Reads the agent's card at `baseUrl` and makes a client for one transport, which sends `bearer` with every call. */
export function createSdkClient(transport: Transport, baseUrl: string, bearer: string): Promise<Client> {
  const before = async (call: BeforeArgs): Promise<void> => {
    const serviceParameters = { ...call.options?.serviceParameters, Authorization: `Bearer ${bearer}` };
    call.options = { ...call.options, serviceParameters };
  };
  const authenticate = { before, after: async (): Promise<void> => {} };
  const clientConfig = { interceptors: [authenticate] };
  return new ClientFactory({ transports: [factories[transport]()], clientConfig }).createFromUrl(baseUrl);
}
