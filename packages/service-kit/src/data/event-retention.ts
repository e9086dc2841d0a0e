/** Maximum days for which events are kept; a reader that is further behind starts over. Apart from the log, which opens all contracts. */
export const maxEventDays = 30
