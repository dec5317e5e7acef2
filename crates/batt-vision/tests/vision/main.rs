//! Operations against plain definitions, parameters and roles on small images, and the page of rules.

mod definitions;
mod docs;
mod lines;
mod parameters;
mod roles;
