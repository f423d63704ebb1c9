import { createSocket, type Socket } from 'node:dgram';

/** Where a datagram goes to. */
interface Address {
  address: string;
  port: number;
}

/** Passes DNS queries over UDP to another server, except those that get a response here. It has no TCP. */
export async function startRelay(
  at: Address,
  to: Address,
  respond: (query: Buffer) => Buffer | undefined = () => undefined,
): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const own = respond(query);
    if (own !== undefined) {
      socket.send(own, from.port, from.address);
      return;
    }
    const upstream = createSocket('udp4');
    upstream.once('message', (response) => {
      socket.send(response, from.port, from.address);
      upstream.close();
    });
    upstream.send(query, to.port, to.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(at.port, at.address, resolve);
  });
  return socket;
}
