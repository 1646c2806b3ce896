// The calls of the published contract as types: "POST /play" names one, and what it takes
// and answers follows.
export {};
