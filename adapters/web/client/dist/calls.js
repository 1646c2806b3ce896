// The calls of the published contract as types: a name such as "POST /play" determines the options
// and the answer.
export {};
