/** The known faults of the simulation that real processes have to find, too: each within a few worlds. */
export const chaosPlants = ['409 taken as elsewhere', 'owed part forgotten'] as const

/** Says to a bot of this bundle which fault it has. */
export const PLANT = 'CHAOS_PLANT'
