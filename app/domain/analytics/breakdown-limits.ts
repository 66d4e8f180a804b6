/** How many values of each dimension a breakdown lists by themselves: on the screen, and in files and responses. */
export const breakdownLimits = { screen: { groups: 10, parts: 5 }, file: { groups: 25, parts: 15 } } as const;
