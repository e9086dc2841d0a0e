/** Reason why nothing was done, in words for the person who runs the command. */
export class Refusal extends Error {}
