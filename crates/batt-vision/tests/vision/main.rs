//! Operations against plain definitions, and roles on small images.

mod definitions;
mod lines;
mod roles;
