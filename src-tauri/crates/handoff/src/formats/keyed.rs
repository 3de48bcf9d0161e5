//! Documents of keys and values, whatever they are written in.
