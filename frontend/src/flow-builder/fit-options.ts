/** How the whole flow is brought into view: never larger than life. */
export const fitOptions = { maxZoom: 1, padding: 0.1 } as const
