/** The sections that rules cite, named once. */

const contract = 'ListTasks cursor pagination (v0.6.0)';

export const OPENING: string = `${contract}, opening`;
export const COMPATIBILITY: string = `${contract}, "Compatibility"`;
export const CONSISTENCY: string = `${contract}, "Consistency and permissions"`;
export const COSTS: string = `${contract}, "Costs and custom stores"`;
export const A2A_LIST: string = 'A2A 1.0 §3.1.4 (List Tasks) and the proto';
export const OWN: string = 'Our reading';
