export function alone<T>(work: () => T | Promise<T>, lock?: string): Promise<T>;
