// The effect that every adapter protects: a payment that takes 20 ms and is counted.

let count = 0;

export async function pay() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  count++;
  return { id: `pay_${100000 + count}`, status: "succeeded" };
}

export function effects() {
  return String(count);
}

export const port = Number(process.argv[2] ?? 0);

export function listening(server) {
  console.log(`listening ${server.address().port}`);
}
